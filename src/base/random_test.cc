// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arbor::base {
namespace {

TEST(Random, GivesTheSameNumbersForTheSameSeedOnEveryPlatform) {
  Random random(42);
  EXPECT_EQ(random.next(), 15021278609987233951ULL);
  EXPECT_EQ(random.next(), 5881210131331364753ULL);
}

TEST(Random, StreamsOfDifferentNamesDiffer) {
  EXPECT_NE(Random::stream(1, "pairs").next(), Random::stream(1, "search").next());
  EXPECT_EQ(Random::stream(1, "pairs", 3).next(), Random::stream(1, "pairs", 3).next());
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(7);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.015);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.02);
}

}  // namespace
}  // namespace arbor::base
