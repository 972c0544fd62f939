// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arbor::ports {

// Keeps the first and the last half of what a stream printed: the head says how it began, the tail
// how it failed. Memory is bounded by max_bytes however much arrives.
class BoundedOutput {
 public:
  explicit BoundedOutput(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  void append(std::string_view bytes);
  bool is_truncated() const { return dropped_bytes_ > 0; }
  // Head, a line that says how much is missing (only when something is), tail.
  std::string text() const;

 private:
  std::size_t head_capacity() const { return max_bytes_ - max_bytes_ / 2; }
  std::size_t tail_capacity() const { return max_bytes_ / 2; }

  std::size_t max_bytes_;
  std::string head_;
  std::string tail_;  // a ring once full: the oldest byte is at tail_start_
  std::size_t tail_start_ = 0;
  std::size_t dropped_bytes_ = 0;
};

}  // namespace arbor::ports
