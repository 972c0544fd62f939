// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/unsafe/plain_processes.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>
#include <optional>

#include "base/files.h"
#include "base/subprocess.h"
#include "ports/sandbox/launch/cgroup.h"
#include "ports/sandbox/launch/collect.h"
#include "ports/sandbox/launch/leftovers.h"
#include "ports/sandbox/launch/remove_beneath.h"
#include "ports/sandbox/launch/request.h"
#include "ports/sandbox/launch/supervise.h"
#include "ports/sandbox/unsafe/descendants.h"
#include "ports/sandbox/unsafe/laid_mounts.h"
#include "ports/sandbox/unsafe/rewritten_paths.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr double kCopyTimeoutS = 600;

// What a launch has to itself: home, temporary files and perhaps a copy of the tree.
struct Room {
  base::ScratchDir folder;
  fs::path tree;
};

base::Result<Room> make_room(const fs::path& scratch, const View& view, std::stop_token stop) {
  ARBOR_TRY(auto folder, base::ScratchDir::create(scratch, kLaunchPrefix));
  std::error_code error;
  for (const char* name : {"home", "tmp"}) fs::create_directory(folder.path() / name, error);
  if (error)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot prepare '{}': {}",
                                                        folder.path().string(), error.message()));
  if (!view.discard_writes) return Room{std::move(folder), view.tree};
  fs::path copy = folder.path() / "tree";
  base::ToolCall call;
  call.argv = {"cp", "-a", "--reflink=auto", "--", view.tree.string(), copy.string()};
  call.timeout_s = kCopyTimeoutS;
  auto copied = base::run_tool_ok(call, std::move(stop));
  if (!copied) return base::fail_in("copying the tree for a launch", std::move(copied).error());
  return Room{std::move(folder), std::move(copy)};
}

class PlainProcesses final : public Sandbox {
 public:
  PlainProcesses(fs::path scratch, CgroupHome cgroups)
      : scratch_(std::move(scratch)), cgroups_(std::move(cgroups)) {}

  SandboxTraits traits() const override;
  base::Result<LaunchOutcome> launch(const LaunchRequest& request, std::stop_token stop) override;

 private:
  fs::path scratch_;
  CgroupHome cgroups_;
};

SandboxTraits PlainProcesses::traits() const {
  SandboxTraits traits;
  traits.name = "none (--unsafe)";
  traits.limits_memory = cgroups_.limits_memory();
  traits.cgroup = cgroups_.version == CgroupVersion::kNone ? "none"
                  : cgroups_.version == CgroupVersion::kV1 ? "v1"
                                                           : "v2";
  traits.notes = {
      "candidates can read and change whatever you can: files, processes, network",
      "nothing is mounted: each tree runs at its own path, not at the repository's, so paths in "
      "debug information and hard-coded paths differ between trees",
      "launches that discard their writes work on a copy of the tree, into which the judge's files "
      "are copied: nothing keeps a candidate from changing them"};
  if (!cgroups_.limits_memory())
    traits.notes.push_back("no writable memory control group: memory is limited per process");
  if (!cgroups_.limits_processes())
    traits.notes.push_back(
        "no writable pids control group: the number of processes is not limited");
  return traits;
}

std::vector<std::string> gated_command(const LaunchRequest& request, const RewrittenPaths& paths) {
  const fs::path cwd = request.cwd.empty() ? request.view.tree_path : request.cwd;
  std::vector<std::string> words = {"sh", "-c", kGateScript, "sandbox", paths.path(cwd.string())};
  for (const std::string& argument : request.argv) words.push_back(paths.path(argument));
  return words;
}

std::map<std::string, std::string> rewritten_environment(const LaunchRequest& request,
                                                         const RewrittenPaths& paths,
                                                         const fs::path& room) {
  auto variables = inner_environment(
      request, {.home = (room / "home").string(), .temporary = (room / "tmp").string()});
  for (auto& [name, value] : variables) value = paths.list(value);
  return variables;
}

base::Result<LaunchOutcome> PlainProcesses::launch(const LaunchRequest& request,
                                                   std::stop_token stop) {
  ARBOR_TRY_VOID(check_request(request));
  ARBOR_TRY(const auto room, make_room(scratch_, request.view, stop));
  ARBOR_TRY(const Cgroup cgroup, Cgroup::create(cgroups_, request.limits, 0));
  ARBOR_TRY_VOID(lay_mounts(request.view, room.tree));
  const RewrittenPaths paths(request.view, room.tree);
  const CStrings argv(gated_command(request, paths));
  const CStrings environment(rewritten_environment(request, paths, room.folder.path()));
  const auto cpus = cpu_set_of(request.cpus);

  Supervision what;
  what.plan.program = "/bin/sh";
  what.plan.argv = argv.data();
  what.plan.environment = environment.data();
  what.plan.directory = "/";
  what.plan.cpus = cpus ? &*cpus : nullptr;
  what.plan.ends_with_command = request.ends_with_command;
  // RLIMIT_NPROC would count everything else that the user runs.
  add_limits(what.plan, request.limits, cgroups_.limits_memory(), true);
  what.request = &request;
  what.cgroup = &cgroup;
  what.written = {room.folder.path(), room.tree};
  what.kill = [&cgroup](pid_t keeper, int) {
    // Asked again and again until the keeper has no child left: who forks meanwhile is seen next.
    cgroup.kill_all();
    for (const pid_t pid : descendants_of(keeper)) ::kill(pid, SIGKILL);
  };
  what.prepare = [&](pid_t) { return remove_beneath(room.tree, request.view); };
  what.collect = [&](pid_t, LaunchOutcome& outcome) {
    for (const std::string& path : request.collect)
      if (auto bytes = read_beneath(room.tree, path))
        outcome.collected.emplace(path, std::move(*bytes));
  };
  return supervise(std::move(what), std::move(stop));
}

}  // namespace

base::Result<std::unique_ptr<Sandbox>> open_plain_processes(const fs::path& scratch) {
  ARBOR_TRY(const fs::path real_scratch, open_scratch(scratch));
  CgroupHome cgroups = find_cgroup_home();
  remove_leftovers(real_scratch, cgroups);
  return std::make_unique<PlainProcesses>(real_scratch, std::move(cgroups));
}

}  // namespace arbor::ports
