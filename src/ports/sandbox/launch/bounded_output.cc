// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/bounded_output.h"

#include <fmt/format.h>

#include <algorithm>

namespace arbor::ports {

void BoundedOutput::append(std::string_view bytes) {
  const std::size_t to_head = std::min(bytes.size(), head_capacity() - head_.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  const std::size_t free = tail_capacity() - tail_.size();
  const std::size_t to_tail = std::min(bytes.size(), free);
  tail_.append(bytes.substr(0, to_tail));
  bytes.remove_prefix(to_tail);
  dropped_bytes_ += bytes.size();
  if (bytes.empty() || tail_.empty()) return;
  if (bytes.size() > tail_.size()) bytes.remove_prefix(bytes.size() - tail_.size());
  for (const char byte : bytes) {
    tail_[tail_start_] = byte;
    tail_start_ = tail_start_ + 1 == tail_.size() ? 0 : tail_start_ + 1;
  }
}

std::string BoundedOutput::text() const {
  std::string text = head_;
  if (is_truncated()) text += fmt::format("\n[... {} bytes dropped ...]\n", dropped_bytes_);
  text.append(tail_, tail_start_);
  text.append(tail_, 0, tail_start_);
  return text;
}

}  // namespace arbor::ports
