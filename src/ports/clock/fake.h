// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "ports/clock/clock.h"

namespace arbor::ports {

// Time that moves only when told to: by advance_ms, or by whoever sleeps. Never really waits.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(std::int64_t unix_ms_at_start = 1'700'000'000'000)
      : unix_ms_at_start_(unix_ms_at_start) {}

  std::int64_t monotonic_ns() const override { return elapsed_ns_; }
  std::int64_t unix_ms() const override;
  void sleep_ms(std::int64_t duration_ms) override;

  void advance_ns(std::int64_t duration_ns);  // not negative
  void advance_ms(std::int64_t duration_ms) { advance_ns(duration_ms * 1'000'000); }

 private:
  std::int64_t unix_ms_at_start_;
  std::atomic<std::int64_t> elapsed_ns_ = 0;
};

}  // namespace arbor::ports
