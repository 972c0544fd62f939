// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/bubblewrap_sandbox.h"

#include <fmt/format.h>
#include <linux/sched.h>
#include <unistd.h>

#include <optional>

#include "ports/sandbox/bubblewrap/layers.h"
#include "ports/sandbox/bubblewrap/ownership.h"
#include "ports/sandbox/bubblewrap/view_arguments.h"
#include "ports/sandbox/launch/cgroup.h"
#include "ports/sandbox/launch/collect.h"
#include "ports/sandbox/launch/remove_beneath.h"
#include "ports/sandbox/launch/request.h"
#include "ports/sandbox/launch/supervise.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

// Launches of a root Arbor run as this host user. Not 65534 (nobody): the kernel shows every owner
// that a namespace cannot name as 65534, and services share it. Not a user that exists: nobody else
// must own its files or count against its processes.
constexpr uid_t kCandidateUid = 65533;
// bwrap itself and its first process inside count in the group of a launch.
constexpr int kLauncherProcesses = 2;

}  // namespace

SandboxTraits BubblewrapSandbox::traits() const {
  SandboxTraits traits;
  traits.name = "bubblewrap";
  traits.isolates = true;
  traits.limits_memory = ways_.cgroups.limits_memory();
  switch (ways_.cgroups.version) {
    case CgroupVersion::kNone:
      traits.cgroup = "none";
      break;
    case CgroupVersion::kV1:
      traits.cgroup = "v1";
      break;
    case CgroupVersion::kV2:
      traits.cgroup = "v2";
      break;
  }
  if (!ways_.has_overlay)
    traits.notes.push_back(
        "no overlayfs for this user and scratch folder: each launch that discards its writes works "
        "on a copy of the tree (slower; a kernel of 5.11 or newer and a scratch folder on ext4, "
        "xfs or btrfs avoid that)");
  if (ways_.has_user_namespace && ::geteuid() == 0)
    traits.notes.push_back(
        "candidates keep the uid of root (without its capabilities) and may read what only root "
        "may: install setpriv (apt-get install util-linux) or run as an ordinary user");
  if (!ways_.cgroups.limits_memory())
    traits.notes.push_back(
        "no writable memory control group: memory is limited per process (RLIMIT_AS) and peaks are "
        "those of the largest process; run inside a delegated group, e.g. systemd-run --user "
        "--scope -p Delegate=yes");
  if (!ways_.cgroups.limits_processes())
    traits.notes.push_back(
        "no writable pids control group: processes are limited per user (RLIMIT_NPROC)");
  return traits;
}

base::Result<void> BubblewrapSandbox::give_away(const View& view) const {
  if (ways_.has_user_namespace) return {};
  ARBOR_TRY_VOID(give_tree(view.tree, kCandidateUid));
  for (const Mount& mount : view.mounts)
    if (mount.is_writable) ARBOR_TRY_VOID(give_tree(mount.source, kCandidateUid));
  return {};
}

base::Result<std::optional<Layers>> BubblewrapSandbox::layers_for(const LaunchRequest& request,
                                                                  std::stop_token stop) const {
  if (!request.view.discard_writes) return std::nullopt;
  auto layers = ways_.has_overlay ? Layers::for_overlay(scratch_, request.view.tree,
                                                        overlay_options(ways_.has_user_namespace))
                                  : Layers::by_copy(scratch_, request.view.tree, std::move(stop));
  if (!layers) return std::unexpected(std::move(layers).error());
  return std::move(*layers);
}

std::vector<std::string> BubblewrapSandbox::options(const LaunchRequest& request,
                                                    const fs::path& tree) const {
  std::vector<std::string> options = {"--unshare-pid", "--unshare-ipc", "--unshare-uts",
                                      "--unshare-cgroup-try", "--new-session"};
  const auto append = [&options](std::initializer_list<std::string> more) {
    options.insert(options.end(), more);
  };
  if (!request.has_network) append({"--unshare-net"});
  if (ways_.has_user_namespace)
    append({"--unshare-user", "--uid", std::to_string(::geteuid()), "--gid",
            std::to_string(::getegid())});
  else
    append({"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add",
            "CAP_SETPCAP"});
  const auto view = view_arguments(request.view, tree, request.has_network);
  options.insert(options.end(), view.begin(), view.end());
  append({"--chdir", "/"});  // a folder of the candidate's may be closed to bwrap
  return options;
}

std::vector<std::string> BubblewrapSandbox::command_line(const LaunchRequest& request) const {
  std::vector<std::string> words = {
      "bwrap", "--args", std::to_string(kArgumentsFd), "--seccomp", std::to_string(kFilterFd),
      "--"};
  if (!ways_.has_user_namespace) {
    const std::string uid = std::to_string(kCandidateUid);
    words.insert(words.end(), {ways_.setpriv, "--reuid", uid, "--regid", uid, "--clear-groups",
                               "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"});
  }
  words.insert(words.end(),
               {"/bin/sh", "-c", kGateScript, "sandbox",
                (request.cwd.empty() ? request.view.tree_path : request.cwd).string()});
  words.insert(words.end(), request.argv.begin(), request.argv.end());
  return words;
}

namespace {

// Where a collected file of the launch is, seen from the host: in the tree, or in what was mounted
// over that part of it last.
std::optional<std::string> collect_one(const View& view, const fs::path& shown_tree,
                                       const std::string& relative) {
  fs::path folder = shown_tree;
  fs::path rest = fs::path(relative).lexically_normal();
  const fs::path inside = (view.tree_path / rest).lexically_normal();
  for (const Mount& mount : view.mounts) {
    const fs::path within = inside.lexically_relative(mount.target.lexically_normal());
    if (within.empty() || *within.begin() == "..") continue;
    folder = within == "." ? mount.source.parent_path() : mount.source;
    rest = within == "." ? mount.source.filename() : within;
  }
  return read_beneath(folder, rest.string());
}

}  // namespace

base::Result<LaunchOutcome> BubblewrapSandbox::launch(const LaunchRequest& request,
                                                      std::stop_token stop) {
  ARBOR_TRY_VOID(check_request(request));
  ARBOR_TRY_VOID(give_away(request.view));
  ARBOR_TRY(const auto layers, layers_for(request, stop));
  const fs::path tree = layers ? layers->merged() : request.view.tree;
  ARBOR_TRY(const Cgroup cgroup, Cgroup::create(ways_.cgroups, request.limits, kLauncherProcesses));

  std::string argument_text;
  for (const std::string& option : options(request, tree)) {
    argument_text += option;
    argument_text += '\0';
  }
  ARBOR_TRY(const Descriptor arguments, memory_file("bwrap-arguments", argument_text));
  ARBOR_TRY(const Descriptor filter, memory_file("syscall-filter", ways_.filter));
  const CStrings argv(command_line(request));
  const CStrings environment(inner_environment(request, {.home = kInnerHome, .temporary = "/tmp"}));
  const auto cpus = cpu_set_of(request.cpus);

  Supervision what;
  what.plan.namespaces = CLONE_NEWPID | CLONE_NEWNS;
  if (ways_.has_user_namespace) what.plan.namespaces |= CLONE_NEWUSER;
  if (layers) layers->fill(what.plan);
  what.plan.program = ways_.bwrap.c_str();
  what.plan.argv = argv.data();
  what.plan.environment = environment.data();
  what.plan.arguments = arguments.get();
  what.plan.filter = filter.get();
  what.plan.cpus = cpus ? &*cpus : nullptr;
  what.plan.ends_with_command = request.ends_with_command;
  Limits limits = request.limits;
  if (limits.processes > 0) limits.processes += kLauncherProcesses + 1;  // and the keeper
  add_limits(what.plan, limits, ways_.cgroups.limits_memory(), ways_.cgroups.limits_processes());
  what.request = &request;
  what.cgroup = &cgroup;
  what.maps_user = ways_.has_user_namespace;
  what.gives_streams = !ways_.has_user_namespace;
  what.owner_uid = kCandidateUid;
  what.generations = 2;
  what.written = {layers ? scratch_ : request.view.tree};
  for (const Mount& mount : request.view.mounts)
    if (mount.is_writable) what.written.push_back(mount.source);
  what.kill = kill_namespace;
  // Through the keeper's root the overlay is mounted as the launch sees it.
  const auto seen_by = [&](pid_t keeper) {
    return layers ? fs::path(fmt::format("/proc/{}/root{}", keeper, tree.string())) : tree;
  };
  what.prepare = [&](pid_t keeper) { return remove_beneath(seen_by(keeper), request.view); };
  what.collect = [&](pid_t keeper, LaunchOutcome& outcome) {
    const fs::path seen = seen_by(keeper);
    for (const std::string& path : request.collect)
      if (auto bytes = collect_one(request.view, seen, path))
        outcome.collected.emplace(path, std::move(*bytes));
  };
  return supervise(std::move(what), std::move(stop));
}

}  // namespace arbor::ports
