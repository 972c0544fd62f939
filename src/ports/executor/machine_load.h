// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace arbor::ports {

// CPU time that the whole machine has spent working, from /proc/stat (user, nice, system, irq,
// softirq and steal; guest time is part of user). Nothing when the text is not what it should be.
std::optional<std::int64_t> busy_ns_in(std::string_view proc_stat, long ticks_per_second);
std::optional<std::int64_t> machine_busy_ns();

// CPUs kept busy by others while we used own_ns during wall_ns. Never negative: the machine's time
// is sampled at the clock tick, ours is exact.
double load_of_others(std::int64_t busy_ns, std::int64_t own_ns, std::int64_t wall_ns);

// CPU time of this process and of the children that it has waited for, sandboxes included.
std::int64_t own_cpu_ns();

// Adds up short pairs until enough has been seen for the clock tick not to matter.
class LoadWatch {
 public:
  // The mean over what was added since the last answer, once that is long enough.
  std::optional<double> add(std::int64_t busy_ns, std::int64_t own_ns, std::int64_t wall_ns);

 private:
  std::int64_t busy_ns_ = 0, own_ns_ = 0, wall_ns_ = 0;
};

// How long some process has waited for memory since boot (or since the group was made), from
// /proc/pressure/memory or a control group's memory.pressure: the `some` line's total. Nothing
// where the kernel does not tell.
std::optional<std::int64_t> memory_stall_ns_in(std::string_view pressure);
std::optional<std::int64_t> machine_memory_stall_ns();

// What a user without privileges may still write to the disk that holds the path.
std::optional<std::uint64_t> free_disk_bytes(const std::filesystem::path& path);

}  // namespace arbor::ports
