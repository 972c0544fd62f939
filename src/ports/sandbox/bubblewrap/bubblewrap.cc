// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/bubblewrap.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
#include "ports/sandbox/bubblewrap/bubblewrap_sandbox.h"
#include "ports/sandbox/bubblewrap/syscall_filter.h"
#include "ports/sandbox/launch/leftovers.h"
#include "ports/sandbox/launch/request.h"

// Finds out what this machine lets bubblewrap do, by doing it.
namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

// A launch of `true` as later ones will be, in a tree of its own.
base::Result<void> try_out(BubblewrapSandbox& sandbox, const fs::path& scratch, bool discards) {
  ARBOR_TRY(const auto tree, base::ScratchDir::create(scratch, kLaunchPrefix));
  LaunchRequest request;
  request.argv = {"true"};
  request.view = {.tree = tree.path(),
                  .tree_path = "/run/arbor/probe",
                  .discard_writes = discards,
                  .mounts = {}};
  request.limits.wall_s = 30;
  ARBOR_TRY(const auto outcome, sandbox.launch(request, {}));
  if (outcome.exit_code != 0)
    return base::fail(base::ErrorKind::kUnsupported,
                      fmt::format("`true` ended with {} in the sandbox: {}", outcome.exit_code,
                                  base::printable(outcome.standard_error)));
  return {};
}

std::string hint_for_refusal() {
  const auto is = [](const char* file, std::string_view value) {
    const auto text = base::read_file(file);
    return text && base::trim(*text) == value;
  };
  if (is("/proc/sys/kernel/unprivileged_userns_clone", "0"))
    return "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1";
  if (is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
    return "allow user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an "
           "AppArmor profile with `userns` for arbor";
  if (is("/proc/sys/user/max_user_namespaces", "0"))
    return "allow user namespaces: sysctl user.max_user_namespaces=15000";
  return "in a container start it with --privileged, or with --cap-add SYS_ADMIN --security-opt "
         "seccomp=unconfined --security-opt apparmor=unconfined";
}

}  // namespace

base::Result<std::unique_ptr<Sandbox>> open_bubblewrap(const fs::path& scratch) {
  constexpr const char* kOrUnsafe = "; or accept plain processes with --unsafe";
  const auto bwrap = find_program("bwrap");
  if (!bwrap)
    return base::fail(
        base::ErrorKind::kUnsupported,
        fmt::format("bubblewrap is not installed: apt-get install bubblewrap{}", kOrUnsafe));
  ARBOR_TRY(const fs::path real_scratch, open_scratch(scratch));
  Ways ways;
  ways.bwrap = *bwrap;
  ways.has_overlay = true;
  ARBOR_TRY(ways.filter, syscall_filter());
  ways.cgroups = find_cgroup_home();
  remove_leftovers(real_scratch, ways.cgroups);
  base::Error refusal;
  for (const bool is_privileged : {true, false}) {
    const auto setpriv = find_program("setpriv");
    if (is_privileged && (::geteuid() != 0 || !setpriv)) continue;
    ways.setpriv = is_privileged ? *setpriv : "";
    ways.has_user_namespace = !is_privileged;
    auto sandbox = std::make_unique<BubblewrapSandbox>(real_scratch, ways);
    if (auto plain = try_out(*sandbox, real_scratch, false); !plain) {
      refusal = std::move(plain).error();
      continue;
    }
    if (!try_out(*sandbox, real_scratch, true)) sandbox->use_copies();
    return sandbox;
  }
  return base::fail(base::ErrorKind::kUnsupported,
                    fmt::format("bubblewrap cannot isolate here ({}): {}{}", refusal.message,
                                hint_for_refusal(), kOrUnsafe));
}

}  // namespace arbor::ports
