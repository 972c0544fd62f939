// SPDX-License-Identifier: Apache-2.0
#include "ports/executor/machine_load.h"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/text.h"

namespace arbor::ports {

std::optional<std::int64_t> busy_ns_in(std::string_view proc_stat, long ticks_per_second) {
  if (!proc_stat.starts_with("cpu ") || ticks_per_second <= 0) return std::nullopt;
  double ticks = 0;
  int column = 0;
  for (const std::string_view word : base::split(base::lines_of(proc_stat)[0].substr(4), ' ')) {
    if (word.empty()) continue;
    const auto number = base::parse_number(word);
    if (!number) return std::nullopt;
    // user nice system idle iowait irq softirq steal guest guest_nice
    if (column != 3 && column != 4 && column < 8) ticks += *number;
    ++column;
  }
  if (column < 8) return std::nullopt;
  return static_cast<std::int64_t>(ticks / static_cast<double>(ticks_per_second) * 1e9);
}

std::optional<std::int64_t> machine_busy_ns() {
  const auto text = base::read_file("/proc/stat");
  if (!text) return std::nullopt;
  return busy_ns_in(*text, ::sysconf(_SC_CLK_TCK));
}

std::optional<std::int64_t> memory_stall_ns_in(std::string_view pressure) {
  for (const std::string_view line : base::lines_of(pressure)) {
    if (!line.starts_with("some ")) continue;
    for (const std::string_view word : base::split(line, ' ')) {
      if (!word.starts_with("total=")) continue;
      if (const auto us = base::parse_number(word.substr(6)); us && *us >= 0)
        return static_cast<std::int64_t>(*us * 1000);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> machine_memory_stall_ns() {
  const auto text = base::read_file("/proc/pressure/memory");
  if (!text) return std::nullopt;
  return memory_stall_ns_in(*text);
}

std::optional<std::uint64_t> free_disk_bytes(const std::filesystem::path& path) {
  struct statvfs status{};
  if (::statvfs(path.c_str(), &status) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

double load_of_others(std::int64_t busy_ns, std::int64_t own_ns, std::int64_t wall_ns) {
  if (wall_ns <= 0) return 0;
  return std::max(0.0, static_cast<double>(busy_ns - own_ns) / static_cast<double>(wall_ns));
}

std::int64_t own_cpu_ns() {
  std::int64_t sum_us = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (::getrusage(whose, &usage) != 0) continue;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      sum_us += std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  }
  return sum_us * 1000;
}

std::optional<double> LoadWatch::add(std::int64_t busy_ns, std::int64_t own_ns,
                                     std::int64_t wall_ns) {
  constexpr std::int64_t kLongEnoughNs = 400'000'000;  // forty ticks of a hundredth of a second
  busy_ns_ += busy_ns;
  own_ns_ += own_ns;
  wall_ns_ += wall_ns;
  if (wall_ns_ < kLongEnoughNs) return std::nullopt;
  const double load = load_of_others(busy_ns_, own_ns_, wall_ns_);
  *this = {};
  return load;
}

}  // namespace arbor::ports
