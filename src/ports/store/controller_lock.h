// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"

namespace arbor::ports {

// One controller per campaign. The kernel holds the lock (flock) and drops it when the process
// ends, however it ends; what the file says only serves to name the holder, so nothing in it can be
// stale in a way that matters.
class ControllerLock {
 public:
  // Does not wait: kBusy names the holder. The file is created where missing and never removed
  // (removing it would let two processes lock two files of one name).
  // complaint: what the message says of the holder, in place of that it runs the campaign.
  static base::Result<ControllerLock> take(const std::filesystem::path& file,
                                           const std::string& complaint = "");

  ControllerLock(ControllerLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ControllerLock& operator=(ControllerLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~ControllerLock();

 private:
  explicit ControllerLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

// The process that holds a campaign's lock now; empty where nobody does.
std::optional<int> lock_holder(const std::filesystem::path& file);

}  // namespace arbor::ports
