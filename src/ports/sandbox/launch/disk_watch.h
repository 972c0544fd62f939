// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace arbor::ports {

// Looks after the disks that a launch writes to. No limit of the kernel bounds what a whole launch
// writes, so what is free is looked at again and again while it runs: bytes and file entries,
// since very many small files fill a disk as well.
class DiskWatch {
 public:
  DiskWatch() = default;  // watches nothing
  // kIo when there is less than the reserve before the launch has begun: not its fault.
  static base::Result<DiskWatch> start(const std::vector<std::filesystem::path>& folders,
                                       std::int64_t reserve_bytes);

  bool is_watching() const { return !disks_.empty(); }
  bool is_short() const;

 private:
  struct Disk {
    std::filesystem::path folder;
    std::uint64_t least_bytes = 0;
    std::uint64_t least_entries = 0;
  };
  std::vector<Disk> disks_;
};

}  // namespace arbor::ports
