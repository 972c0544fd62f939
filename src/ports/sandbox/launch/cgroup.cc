// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/cgroup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/files.h"
#include "base/owner.h"
#include "base/text.h"
#include "ports/executor/machine_load.h"
#include "ports/sandbox/launch/leftovers.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

std::string fresh_name() {
  static std::atomic<int> next = 0;
  return fmt::format("{}{}-{}", kGroupPrefix, base::owner_mark(), next++);
}

// Control files take one write and answer at once; nothing durable about them.
bool write_control(const fs::path& file, const std::string& value) {
  const Descriptor fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd.is_open() &&
         ::write(fd.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

std::optional<std::int64_t> read_number(const fs::path& file) {
  const auto text = base::read_file(file);
  if (!text) return std::nullopt;
  const auto number = base::parse_number(base::trim(*text));
  if (!number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

// The value of a "key value" line.
std::optional<std::int64_t> read_keyed(const fs::path& file, std::string_view key) {
  const auto text = base::read_file(file);
  if (!text) return std::nullopt;
  for (const std::string_view line : base::lines_of(*text)) {
    const auto words = base::split(line, ' ');
    if (words.size() != 2 || words[0] != key) continue;
    if (const auto number = base::parse_number(words[1])) return static_cast<std::int64_t>(*number);
  }
  return std::nullopt;
}

void kill_members(const fs::path& folder) {
  if (write_control(folder / "cgroup.kill", "1")) return;
  const auto members = base::read_file(folder / "cgroup.procs");
  if (!members) return;
  for (const std::string_view line : base::lines_of(*members))
    if (const auto pid = base::parse_number(line); pid && *pid > 1)
      ::kill(static_cast<pid_t>(*pid), SIGKILL);
}

}  // namespace

// A group can be removed some time after its last process was reaped, not at once.
void remove_group(const fs::path& folder) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (::rmdir(folder.c_str()) == 0 || errno != EBUSY) return;
    kill_members(folder);
    const timespec pause{.tv_sec = 0, .tv_nsec = 5'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

base::Result<fs::path> Cgroup::add(const fs::path& parent, const std::string& name) {
  if (parent.empty()) return fs::path();
  const fs::path folder = parent / name;
  if (::mkdir(folder.c_str(), 0755) != 0)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot create the control group '{}': {}",
                                                        folder.string(), std::strerror(errno)));
  created_.push_back(folder);
  Descriptor procs(::open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (!procs.is_open())
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot join the control group '{}': {}",
                                                        folder.string(), std::strerror(errno)));
  ARBOR_TRY(auto high, raised(std::move(procs)));
  join_.push_back(std::move(high));
  return folder;
}

base::Result<void> Cgroup::limit(const Limits& limits, int extra_processes) {
  const bool is_v2 = folders_.version == CgroupVersion::kV2;
  const fs::path& memory = is_v2 ? folders_.unified : folders_.memory;
  const fs::path& pids = is_v2 ? folders_.unified : folders_.pids;
  bool is_set = true;
  if (limits.memory_bytes > 0 && !memory.empty()) {
    const std::string bytes = std::to_string(limits.memory_bytes);
    is_set = write_control(memory / (is_v2 ? "memory.max" : "memory.limit_in_bytes"), bytes);
    // Swap would turn the limit into a slowdown. The files are absent where swap is not accounted.
    if (is_v2)
      write_control(memory / "memory.swap.max", "0");
    else
      write_control(memory / "memory.memsw.limit_in_bytes", bytes);
  }
  if (limits.processes > 0 && !pids.empty())
    is_set &= write_control(pids / "pids.max", std::to_string(limits.processes + extra_processes));
  if (!is_set)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot set the limits of a control group: {}. Raise them or set "
                                  "them to 0 (none)",
                                  std::strerror(errno)));
  return {};
}

base::Result<Cgroup> Cgroup::create(const CgroupHome& home, const Limits& limits,
                                    int extra_processes) {
  Cgroup group;
  const std::string name = fresh_name();
  group.folders_.version = home.version;
  ARBOR_TRY(group.folders_.unified, group.add(home.unified, name));
  ARBOR_TRY(group.folders_.memory, group.add(home.memory, name));
  ARBOR_TRY(group.folders_.pids, group.add(home.pids, name));
  ARBOR_TRY(group.folders_.cpuacct, group.add(home.cpuacct, name));
  ARBOR_TRY_VOID(group.limit(limits, extra_processes));
  return group;
}

void Cgroup::kill_all() const {
  for (const fs::path& folder : created_) kill_members(folder);
}

Cgroup::~Cgroup() {
  kill_all();
  for (const fs::path& folder : created_) remove_group(folder);
}

std::array<int, 4> Cgroup::join_fds() const {
  std::array<int, 4> fds = {-1, -1, -1, -1};
  for (std::size_t i = 0; i < join_.size() && i < fds.size(); ++i) fds[i] = join_[i].get();
  return fds;
}

// v1 counts the total exactly but samples the split at the clock tick: short launches would show
// multiples of 4 ms. So the samples only divide the exact total.
std::optional<CgroupTimes> Cgroup::times() const {
  if (folders_.version == CgroupVersion::kV2) {
    const auto user = read_keyed(folders_.unified / "cpu.stat", "user_usec");
    const auto system = read_keyed(folders_.unified / "cpu.stat", "system_usec");
    if (!user || !system) return std::nullopt;
    return CgroupTimes{*user * 1000, *system * 1000};
  }
  if (folders_.cpuacct.empty()) return std::nullopt;
  const auto total = read_number(folders_.cpuacct / "cpuacct.usage");
  const auto user = read_number(folders_.cpuacct / "cpuacct.usage_user");
  const auto system = read_number(folders_.cpuacct / "cpuacct.usage_sys");
  if (!total || !user || !system) return std::nullopt;
  const std::int64_t sampled = *user + *system;
  const double system_share =
      sampled > 0 ? static_cast<double>(*system) / static_cast<double>(sampled) : 0;
  const auto system_ns = static_cast<std::int64_t>(static_cast<double>(*total) * system_share);
  return CgroupTimes{*total - system_ns, system_ns};
}

std::optional<std::int64_t> Cgroup::peak_bytes() const {
  if (folders_.version == CgroupVersion::kV2) return read_number(folders_.unified / "memory.peak");
  if (folders_.memory.empty()) return std::nullopt;
  return read_number(folders_.memory / "memory.max_usage_in_bytes");
}

std::optional<std::int64_t> Cgroup::memory_stall_ns() const {
  if (folders_.version != CgroupVersion::kV2) return std::nullopt;
  const auto text = base::read_file(folders_.unified / "memory.pressure");
  if (!text) return std::nullopt;
  return memory_stall_ns_in(*text);
}

bool Cgroup::was_out_of_memory() const {
  if (folders_.version == CgroupVersion::kV2)
    return read_keyed(folders_.unified / "memory.events", "oom_kill").value_or(0) > 0;
  if (folders_.memory.empty()) return false;
  return read_keyed(folders_.memory / "memory.oom_control", "oom_kill").value_or(0) > 0;
}

}  // namespace arbor::ports
