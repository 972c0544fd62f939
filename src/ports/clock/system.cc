// SPDX-License-Identifier: Apache-2.0
#include "ports/clock/system.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace arbor::ports {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::int64_t now_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

class SystemClock final : public Clock {
 public:
  std::int64_t monotonic_ns() const override { return now_ns(CLOCK_BOOTTIME); }
  std::int64_t unix_ms() const override { return now_ns(CLOCK_REALTIME) / 1'000'000; }

  void sleep_ms(std::int64_t duration_ms) override {
    const std::int64_t until = monotonic_ns() + std::max<std::int64_t>(duration_ms, 0) * 1'000'000;
    const timespec deadline{.tv_sec = until / kNsPerSecond, .tv_nsec = until % kNsPerSecond};
    while (::clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
    }
  }
};

}  // namespace

std::unique_ptr<Clock> make_system_clock() { return std::make_unique<SystemClock>(); }

}  // namespace arbor::ports
