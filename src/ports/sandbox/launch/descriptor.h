// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "base/error.h"

namespace arbor::ports {

// An open file that closes itself. Every one of them is close-on-exec.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

// Numbers given to a child start here, so that moving them to their final places (0, 1, 2, …) in
// the child can never overwrite one that has yet to be moved.
inline constexpr int kFirstInheritedFd = 64;

base::Result<Pipe> open_pipe();               // both ends ≥ kFirstInheritedFd, blocking
base::Result<Descriptor> raised(Descriptor);  // the same file at a number ≥ kFirstInheritedFd
// A file in memory that holds text, positioned at its start.
base::Result<Descriptor> memory_file(std::string_view name, std::string_view text);
void set_non_blocking(const Descriptor& descriptor);

}  // namespace arbor::ports
