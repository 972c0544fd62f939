// SPDX-License-Identifier: Apache-2.0
#include "search/score.h"

#include <gtest/gtest.h>

#include <cmath>

namespace arbor::search {
namespace {

Estimate half_touched_twice_as_fast() {
  Estimate estimate;
  estimate.touched_share = 0.5;
  estimate.local_speedup = 2;
  estimate.log_gain = -std::log(0.75);
  estimate.minutes = 2;
  estimate.accuracy_risk = 0.1;
  estimate.crash_risk = 0.2;
  return estimate;
}

TEST(Score, DividesByCostAndDiscountsByRiskAndMultipliesByUrgency) {
  const auto terms = raw_terms(half_touched_twice_as_fast(), {false, 1, 0, 1.5}, 0, 1);
  EXPECT_DOUBLE_EQ(terms.exploit_raw, -std::log(0.75) / 2 * (0.9 * 0.8 * 1.5));
  EXPECT_EQ(terms.explore, 0);  // ln 1
}

TEST(Score, AsPrintedPutsRiskAndGapIntoTheDenominatorAndDropsTheRoot) {
  const auto terms = raw_terms(half_touched_twice_as_fast(), {true, 8, 0, 1.5}, 1, 1);
  EXPECT_DOUBLE_EQ(terms.exploit_raw, -std::log(0.75) / (2 * (0.9 * 0.8 * 1.5)));
  EXPECT_DOUBLE_EQ(terms.explore, 0.5 * std::log(8) / 2);
}

TEST(Score, ExploresByTheRootOfTrialsOverTheCategorysTrials) {
  const auto terms = raw_terms(half_touched_twice_as_fast(), {false, 8, 0, 1}, 3, 1);
  EXPECT_DOUBLE_EQ(terms.explore, 0.5 * std::sqrt(std::log(8) / 4));
  EXPECT_EQ(terms.trials_so_far, 8);
  EXPECT_EQ(terms.category_trials, 3);
}

TEST(Score, ExplorationGrowsAfterThreeTrialsWithoutGain) {
  EXPECT_DOUBLE_EQ(exploration_weight(0), 0.5);
  EXPECT_DOUBLE_EQ(exploration_weight(3), 0.5);
  EXPECT_DOUBLE_EQ(exploration_weight(5), 0.5 * 1.6);
}

TEST(Score, TheGapIsOneWithoutAGoalAndAtMostTwoWithOne) {
  EXPECT_DOUBLE_EQ(gap_multiplier(std::nullopt, 0.3), 1);
  EXPECT_DOUBLE_EQ(gap_multiplier(1.5, 0), 1.5);
  EXPECT_DOUBLE_EQ(gap_multiplier(5.0, 0), 2);
  EXPECT_DOUBLE_EQ(gap_multiplier(1.5, std::log(1.5)), 1);
  EXPECT_DOUBLE_EQ(gap_multiplier(1.5, std::log(3.0)), 1);
}

TEST(Score, NormalisesTheDefaultFormAndLeavesThePrintedOneRaw) {
  auto terms = raw_terms(half_touched_twice_as_fast(), {false, 8, 0, 1}, 0, 0.7);
  complete(terms, 2 * terms.exploit_raw, false);
  EXPECT_DOUBLE_EQ(terms.exploit, 0.5);
  EXPECT_DOUBLE_EQ(terms.total, 0.7 * (0.5 + terms.explore));
  complete(terms, 2 * terms.exploit_raw, true);
  EXPECT_DOUBLE_EQ(terms.exploit, terms.exploit_raw);
}

TEST(Score, APenaltyNeverImprovesANegativeScore) {
  auto estimate = half_touched_twice_as_fast();
  estimate.log_gain = -0.1;
  auto penalised = raw_terms(estimate, {}, 0, 0.5);
  auto untouched = raw_terms(estimate, {}, 0, 1);
  complete(penalised, 1, false);
  complete(untouched, 1, false);
  EXPECT_LT(penalised.total, untouched.total);
}

TEST(Score, WhatTouchesNothingIsNotExplored) {
  auto estimate = half_touched_twice_as_fast();
  estimate.touched_share = 0;
  EXPECT_EQ(raw_terms(estimate, {false, 8, 9, 1}, 0, 1).explore, 0);
}

}  // namespace
}  // namespace arbor::search
