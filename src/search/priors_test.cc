// SPDX-License-Identifier: Apache-2.0
#include "search/priors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace arbor::search {
namespace {

domain::Action action(const std::string& category, const std::string& strategy) {
  domain::Action made;
  made.category = category;
  made.strategy = strategy;
  return made;
}

domain::Verdict verdict(domain::VerdictKind kind, domain::Stage stage,
                        const std::string& reason = "") {
  domain::Verdict made;
  made.kind = kind;
  made.stage = stage;
  made.reason = reason;
  return made;
}

TEST(Priors, EveryRowIsPlausibleNamesItsSourceAndStandsOnce) {
  std::set<std::string_view> seen;
  for (const auto& prior : priors()) {
    EXPECT_TRUE(seen.insert(prior.category).second) << prior.category;
    EXPECT_GE(prior.local_speedup, 1) << prior.category;
    EXPECT_GE(prior.upper_speedup, prior.local_speedup) << prior.category;
    EXPECT_GT(prior.minutes, 0) << prior.category;
    EXPECT_GT(prior.crash_risk, 0) << prior.category;
    EXPECT_LT(prior.accuracy_risk, 0.5) << prior.category;
    EXPECT_FALSE(prior.source.empty()) << prior.category;
  }
}

TEST(Priors, AnUnlistedCategoryTakesItsLayersRow) {
  EXPECT_EQ(prior_of("compiler.lto").category, "compiler.lto");
  EXPECT_EQ(prior_of("kernel.something-new").category, "kernel");
  EXPECT_EQ(prior_of("unheard-of").category, "");
}

TEST(Priors, FillOnlyWhatTheProposerLeftOut) {
  domain::Prediction empty;
  empty.touched_share = 0.4;
  const auto filled = with_prior(empty, "kernel.loop");
  EXPECT_EQ(filled.touched_share, 0.4);
  EXPECT_EQ(filled.local_speedup, prior_of("kernel.loop").local_speedup);
  EXPECT_EQ(filled.upper_speedup, prior_of("kernel.loop").upper_speedup);
  domain::Prediction own;
  own.local_speedup = 1.01;
  own.minutes = 7;
  own.upper_speedup = 1.02;
  own.crash_risk = 0.4;
  const auto kept = with_prior(own, "kernel.loop");
  EXPECT_EQ(kept.local_speedup, 1.01);
  EXPECT_EQ(kept.minutes, 7);
  EXPECT_EQ(kept.upper_speedup, 1.02);
  EXPECT_EQ(kept.crash_risk, 0.4);
  EXPECT_EQ(kept.accuracy_risk, prior_of("kernel.loop").accuracy_risk);
}

TEST(Risks, ACrashRaisesItsStrategyMoreThanItsCategoryAndNoOther) {
  Risks risks;
  risks.observe(action("kernel.loop", "tile"),
                verdict(domain::VerdictKind::kCrashed, domain::Stage::kCheck));
  const double same = risks.crash(action("kernel.loop", "tile"), 0.05);
  const double similar = risks.crash(action("kernel.loop", "interchange"), 0.05);
  EXPECT_NEAR(similar, (0.05 * 8 + 1) / 9, 1e-12);
  EXPECT_NEAR(same, (similar * 4 + 1) / 5, 1e-12);
  EXPECT_DOUBLE_EQ(risks.crash(action("compiler.flags", "tile"), 0.05), 0.05);
  EXPECT_DOUBLE_EQ(risks.accuracy(action("kernel.loop", "tile"), 0.05), 0.05);
}

TEST(Risks, AWrongOutputRaisesTheRiskOfAccuracyAndARightOneLowersIt) {
  Risks risks;
  const auto fast = action("compiler.fast-math", "-ffast-math");
  risks.observe(fast,
                verdict(domain::VerdictKind::kRejected, domain::Stage::kCheck, "wrong-output"));
  const double wrong = risks.accuracy(fast, 0.3);
  EXPECT_GT(wrong, 0.3);
  for (int i = 0; i < 20; ++i)
    risks.observe(fast, verdict(domain::VerdictKind::kReverted, domain::Stage::kPairs));
  EXPECT_LT(risks.accuracy(fast, 0.3), 0.15);
  EXPECT_LT(risks.crash(fast, 0.05), 0.05);
}

TEST(Risks, ARefusedPatchSaysNothingOfEitherRisk) {
  Risks risks;
  const auto tile = action("kernel.loop", "tile");
  risks.observe(tile,
                verdict(domain::VerdictKind::kRejected, domain::Stage::kApply, "patch-refused"));
  EXPECT_DOUBLE_EQ(risks.crash(tile, 0.05), 0.05);
  EXPECT_DOUBLE_EQ(risks.accuracy(tile, 0.05), 0.05);
}

domain::Action predicted(const std::string& category, double minutes) {
  auto made = action(category, "-O3");
  made.prediction.minutes = minutes;
  made.prediction.local_speedup = 1.1;
  return made;
}

TEST(Minutes, AreTheMedianOfTheCampaignsOwnAndTheScaledPrediction) {
  Minutes minutes;
  const auto flags = predicted("compiler.flags", 30);
  EXPECT_EQ(minutes.of(flags), 30);
  for (const double timed : {9.0, 1.0, 2.0}) minutes.learn(flags, timed);
  EXPECT_EQ(minutes.of(flags), 2);  // of 1, 2, 2 (a fifteenth of 30) and 9
}

TEST(Minutes, OfAnUntimedCategoryScaleWithTheTimedOnes) {
  Minutes minutes;
  minutes.learn(action("communication", "ring"), 3);  // its prior says 30
  const auto other = action("framework", "rebuild");
  EXPECT_NEAR(minutes.of(other), 1.5, 1e-12);  // its prior says 15
}

TEST(Minutes, ScaleThePredictionOfWhatNeedsNoBuildToo) {
  Minutes minutes;
  minutes.learn(predicted("compiler.flags", 0.8), 0.4);
  EXPECT_NEAR(minutes.of(predicted("framework.knob", 0.5)), 0.25, 1e-12);
}

TEST(Minutes, IgnoreTimesThatCannotBe) {
  Minutes minutes;
  const auto flags = action("compiler.flags", "-O3");
  minutes.learn(flags, -1);
  minutes.learn(flags, std::nan(""));
  EXPECT_EQ(minutes.of(flags), prior_of("compiler.flags").minutes);
}

}  // namespace
}  // namespace arbor::search
