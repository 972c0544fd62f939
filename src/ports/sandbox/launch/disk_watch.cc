// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/disk_watch.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <optional>

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kReservedEntries = 10'000;

struct Free {
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
};

std::optional<Free> free_at(const fs::path& folder) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) return std::nullopt;
  return Free{static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize, status.f_favail};
}

}  // namespace

base::Result<DiskWatch> DiskWatch::start(const std::vector<fs::path>& folders,
                                         std::int64_t reserve_bytes) {
  DiskWatch watch;
  if (reserve_bytes <= 0) return watch;
  for (const fs::path& folder : folders) {
    const auto free = free_at(folder);
    if (!free) continue;
    const auto least_bytes = static_cast<std::uint64_t>(reserve_bytes);
    if (free->bytes < least_bytes)
      return base::fail(
          base::ErrorKind::kIo,
          fmt::format("only {} MB are free on the disk of '{}', and a launch is to leave {} MB: "
                      "free some",
                      free->bytes >> 20, folder.string(), least_bytes >> 20));
    // File systems that make entries as they need them say 0.
    watch.disks_.push_back({folder, least_bytes, std::min(kReservedEntries, free->entries / 10)});
  }
  return watch;
}

bool DiskWatch::is_short() const {
  return std::ranges::any_of(disks_, [](const Disk& disk) {
    const auto free = free_at(disk.folder);
    return free && (free->bytes < disk.least_bytes || free->entries < disk.least_entries);
  });
}

}  // namespace arbor::ports
