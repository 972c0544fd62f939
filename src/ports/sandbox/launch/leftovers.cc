// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/leftovers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>

#include "base/files.h"
#include "base/text.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

// "launch-PID-…" and "arbor-PID-…" of a process that is no more.
bool is_orphaned(const std::string& name, std::string_view kind) {
  const auto parts = base::split(name, '-');
  if (parts.size() < 3 || parts[0] != kind) return false;
  const auto pid = base::parse_number(parts[1]);
  return pid && *pid > 1 && ::kill(static_cast<pid_t>(*pid), 0) != 0 && errno == ESRCH;
}

void for_each_orphan(const fs::path& folder, std::string_view kind,
                     const std::function<void(const fs::path&)>& remove) {
  if (folder.empty()) return;
  std::error_code error;
  std::vector<fs::path> orphans;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_orphaned(entry.path().filename().string(), kind)) orphans.push_back(entry.path());
  for (const fs::path& orphan : orphans) remove(orphan);
}

}  // namespace

std::string launch_prefix() { return fmt::format("launch-{}-", ::getpid()); }

void remove_leftovers(const fs::path& scratch, const CgroupHome& cgroups) {
  for_each_orphan(scratch, "launch", [](const fs::path& folder) { base::remove_tree(folder); });
  for (const fs::path& parent : {cgroups.memory, cgroups.pids, cgroups.cpuacct, cgroups.unified})
    for_each_orphan(parent, "arbor", [](const fs::path& group) { ::rmdir(group.c_str()); });
}

base::Result<fs::path> open_scratch(const fs::path& scratch) {
  std::error_code error;
  fs::create_directories(scratch, error);
  fs::path real_scratch = fs::canonical(scratch, error);
  if (error)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot create the scratch folder '{}': {}",
                                                        scratch.string(), error.message()));
  return real_scratch;
}

}  // namespace arbor::ports
