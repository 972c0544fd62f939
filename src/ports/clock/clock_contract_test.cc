// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "ports/clock/fake.h"
#include "ports/clock/system.h"

// What every clock keeps, asked of the machine's and of the fake one.
namespace arbor::ports {
namespace {

struct ClockUnderTest {
  const char* name;
  std::function<std::unique_ptr<Clock>()> make;
};

class ClockContract : public testing::TestWithParam<ClockUnderTest> {
 protected:
  std::unique_ptr<Clock> clock_ = GetParam().make();
};

TEST_P(ClockContract, NeverGoesBack) {
  std::int64_t last = clock_->monotonic_ns();
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t now = clock_->monotonic_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST_P(ClockContract, SleepsAtLeastAsLongAsAsked) {
  const std::int64_t before = clock_->monotonic_ns();
  clock_->sleep_ms(3);
  EXPECT_GE(clock_->monotonic_ns() - before, 3'000'000);
}

TEST_P(ClockContract, ANegativeSleepReturnsAtOnceAndMovesNothingBack) {
  const std::int64_t before = clock_->monotonic_ns();
  clock_->sleep_ms(-5);
  EXPECT_GE(clock_->monotonic_ns(), before);
}

TEST_P(ClockContract, CountsUnixTimeInMilliseconds) {
  EXPECT_GT(clock_->unix_ms(), 1'600'000'000'000);   // 2020
  EXPECT_LT(clock_->unix_ms(), 10'000'000'000'000);  // 2286
}

INSTANTIATE_TEST_SUITE_P(
    Clocks, ClockContract,
    testing::Values(ClockUnderTest{"System", [] { return make_system_clock(); }},
                    ClockUnderTest{"Fake", [] { return std::make_unique<FakeClock>(); }}),
    [](const auto& tested) { return tested.param.name; });

TEST(FakeClock, StandsStillUntilItIsToldToMove) {
  FakeClock clock(1000);
  EXPECT_EQ(clock.monotonic_ns(), 0);
  clock.advance_ms(7);
  EXPECT_EQ(clock.monotonic_ns(), 7'000'000);
  EXPECT_EQ(clock.unix_ms(), 1007);
}

}  // namespace
}  // namespace arbor::ports
