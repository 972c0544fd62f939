// SPDX-License-Identifier: Apache-2.0
#include "engine/gate_rehearsal.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace arbor::engine {
namespace {

Calibrated noise_of(double s_aa, double mean) {
  base::Random random(5);
  Calibrated calibrated;
  for (int i = 0; i < 20; ++i) calibrated.x.push_back(mean + s_aa * random.normal());
  calibrated.calibration = {20, s_aa, mean, 0, 0.85 * s_aa, 1'000'000'000};
  return calibrated;
}

TEST(GateRehearsal, PassesOnOrdinaryNoise) {
  const auto tested = rehearse_on_pairs(noise_of(0.05, 0), false);
  EXPECT_TRUE(tested.is_passed) << tested.detail;
}

TEST(GateRehearsal, FailsWhereEqualBuildsLookFasterThanThemselves) {
  EXPECT_FALSE(rehearse_on_pairs(noise_of(0.02, 0.3), true).is_passed);
}

TEST(GateRehearsal, RarelyFailsOnAFewOrdinaryPairs) {
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Calibrated few = noise_of(0.02, 0);
    auto random = base::Random::stream(seed, "pairs");
    few.x.resize(6);
    for (double& x : few.x) x = 0.02 * random.normal();
    failed += rehearse_on_pairs(few, false).is_passed ? 0 : 1;
  }
  EXPECT_LE(failed, 4) << "a pair that is taken twice confirms whatever it showed";
}

TEST(GateRehearsal, FailsWithoutAnyMeasuredPair) {
  EXPECT_FALSE(rehearse_on_pairs({}, false).is_passed);
}

}  // namespace
}  // namespace arbor::engine
