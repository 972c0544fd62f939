// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ports/sandbox/launch/descriptor.h"
#include "ports/sandbox/sandbox.h"

// Control groups: the only way to limit and to account a whole tree of processes.
namespace arbor::ports {

enum class CgroupVersion { kNone, kV1, kV2 };

// Where this process may create groups. Found once by really creating and removing one.
struct CgroupHome {
  CgroupVersion version = CgroupVersion::kNone;
  std::filesystem::path memory;  // v1: one folder per controller, each may be missing (empty)
  std::filesystem::path pids;
  std::filesystem::path cpuacct;
  std::filesystem::path unified;  // v2: one folder for all
  bool limits_memory() const { return !memory.empty() || version == CgroupVersion::kV2; }
  bool limits_processes() const { return !pids.empty() || version == CgroupVersion::kV2; }
};

// self_cgroup and mountinfo: the texts of /proc/self/cgroup and /proc/self/mountinfo.
CgroupHome find_cgroup_home(const std::string& self_cgroup, const std::string& mountinfo);
CgroupHome find_cgroup_home();

struct CgroupTimes {
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
};

// Kills who is inside and removes the folder, which takes a moment after the last one's end.
void remove_group(const std::filesystem::path& folder);

// The groups of one launch. Its destructor kills whoever is left inside and removes the folders.
class Cgroup {
 public:
  // extra_processes: our own launcher's, which do not count as the command's.
  static base::Result<Cgroup> create(const CgroupHome& home, const Limits& limits,
                                     int extra_processes);
  Cgroup() = default;
  Cgroup(Cgroup&&) = default;
  Cgroup& operator=(Cgroup&&) = default;
  ~Cgroup();

  std::array<int, 4> join_fds() const;  // opened cgroup.procs; -1 = unused
  void kill_all() const;
  std::optional<CgroupTimes> times() const;
  std::optional<std::int64_t> peak_bytes() const;
  std::optional<std::int64_t> memory_stall_ns() const;
  bool was_out_of_memory() const;

 private:
  base::Result<std::filesystem::path> add(const std::filesystem::path& parent,
                                          const std::string& name);
  base::Result<void> limit(const Limits& limits, int extra_processes);

  CgroupHome folders_;  // this launch's, not the parents'
  std::vector<std::filesystem::path> created_;
  std::vector<Descriptor> join_;
};

}  // namespace arbor::ports
