// SPDX-License-Identifier: Apache-2.0
#include "ports/clock/fake.h"

#include <algorithm>

#include "base/check.h"

namespace arbor::ports {

std::int64_t FakeClock::unix_ms() const { return unix_ms_at_start_ + elapsed_ns_ / 1'000'000; }

void FakeClock::sleep_ms(std::int64_t duration_ms) {
  advance_ms(std::max<std::int64_t>(duration_ms, 0));
}

void FakeClock::advance_ns(std::int64_t duration_ns) {
  ARBOR_CHECK(duration_ns >= 0, "a fake clock was told to go back");
  elapsed_ns_ += duration_ns;
}

}  // namespace arbor::ports
