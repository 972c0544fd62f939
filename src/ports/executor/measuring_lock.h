// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>

#include "base/error.h"

namespace arbor::ports {

// Only one pair is measured at a time on a machine, whichever user and campaign it belongs to. Held
// by an open file (flock), so the kernel lets go of it when its holder dies; the file itself stays
// and names its last holder.
class MeasuringLock {
 public:
  // Blocks up to wait_s. kBusy names the holder; kCancelled; kIo when the file cannot be used.
  static base::Result<MeasuringLock> acquire(const std::filesystem::path& file, double wait_s,
                                             std::stop_token stop);
  MeasuringLock(MeasuringLock&& other) noexcept;
  MeasuringLock& operator=(MeasuringLock&&) = delete;
  ~MeasuringLock();

 private:
  explicit MeasuringLock(int fd) : fd_(fd) {}
  int fd_;
};

// The folder that every user of the machine shares: /run/lock, else /tmp.
std::filesystem::path measuring_lock_file();

}  // namespace arbor::ports
