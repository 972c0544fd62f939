// SPDX-License-Identifier: Apache-2.0
#include "measure/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace arbor::measure {
namespace {

using ::testing::HasSubstr;

domain::Verdict kept() {
  return {domain::VerdictKind::kKept,
          domain::Stage::kConfirm,
          "confirmed",
          "1.10×",
          domain::Interval{0.1, 0.05, 0.15},
          10};
}

TEST(Keys, KeepOnlyWhatBothSigned) {
  const Key yes{true, ""}, no{false, "the trunk slowed down meanwhile"};
  EXPECT_EQ(verdict_with_keys(kept(), yes, yes), kept());
  const auto vetoed = verdict_with_keys(kept(), yes, no);
  EXPECT_EQ(vetoed.kind, domain::VerdictKind::kSuspect);
  EXPECT_EQ(vetoed.stage, domain::Stage::kKeys);
  EXPECT_EQ(vetoed.reason, "vetoed");
  EXPECT_THAT(vetoed.detail, HasSubstr("slowed down meanwhile: 1.10×"));
  EXPECT_EQ(verdict_with_keys(kept(), no, yes).kind, domain::VerdictKind::kInconclusive);
  EXPECT_EQ(verdict_with_keys(kept(), no, yes).reason, "not-borne-out");
}

TEST(Keys, NeverTurnAnotherVerdictIntoAKeep) {
  auto reverted = kept();
  reverted.kind = domain::VerdictKind::kReverted;
  EXPECT_EQ(verdict_with_keys(reverted, {true, ""}, {true, ""}), reverted);
  EXPECT_FALSE(orchestrator_key(reverted, 0).is_signed);
}

TEST(OrchestratorKey, IsTurnedOnlyOnFiguresThatBearTheKeepOut) {
  EXPECT_TRUE(orchestrator_key(kept(), 0.005).is_signed);
  auto verdict = kept();
  verdict.gain.reset();
  EXPECT_THAT(orchestrator_key(verdict, 0).reason, HasSubstr("no interval"));
  verdict = kept();
  verdict.gain->high = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(orchestrator_key(verdict, 0).reason, HasSubstr("not in order"));
  verdict = kept();
  EXPECT_THAT(orchestrator_key(verdict, 0.1).reason, HasSubstr("not above"));
  verdict.pairs = 9;
  EXPECT_THAT(orchestrator_key(verdict, 0).reason, HasSubstr("9 pairs"));
}

}  // namespace
}  // namespace arbor::measure
