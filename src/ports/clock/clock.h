// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace arbor::ports {

// Time as the engine sees it. Thread-safe, never blocks but in sleep_ms.
class Clock {
 public:
  virtual ~Clock() = default;
  // Counts suspended time too and never goes back; only differences mean anything.
  virtual std::int64_t monotonic_ns() const = 0;
  // Unix time, for records shown to people. Never used to decide.
  virtual std::int64_t unix_ms() const = 0;
  virtual void sleep_ms(std::int64_t duration_ms) = 0;
};

}  // namespace arbor::ports
