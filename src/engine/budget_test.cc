// SPDX-License-Identifier: Apache-2.0
#include "engine/budget.h"

#include <gtest/gtest.h>

namespace arbor::engine {
namespace {

TEST(Budget, CountsTimeOfEarlierSessions) {
  const Budget budget{600, {}, 100, 5'000'000'000};
  EXPECT_DOUBLE_EQ(budget.spent_s(15'000'000'000), 110);
  EXPECT_DOUBLE_EQ(budget.left_s(15'000'000'000), 490);
}

TEST(Budget, GivesCalibrationAndFinalAtMostThreeTenthsOfIt) {
  EXPECT_LE(kCalibrationShare * 360 + final_pairs(360, 1.0) * 2 * 1.0, 0.30 * 360);
  EXPECT_EQ(final_pairs(36000, 1.0), 20);
}

TEST(Budget, NeverPlansFewerPairsThanAnIntervalNeeds) { EXPECT_EQ(final_pairs(10, 60), 6); }

TEST(Budget, KeepsEnoughTimeForTheFinalMeasurement) {
  EXPECT_GT(headline_reserve_s(20, 4.0), 21 * 4.0);
}

}  // namespace
}  // namespace arbor::engine
