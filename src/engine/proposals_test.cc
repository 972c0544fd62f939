// SPDX-License-Identifier: Apache-2.0
#include "engine/proposals.h"

#include <gtest/gtest.h>

namespace arbor::engine {
namespace {

TEST(Rounding, IsAllowedByAScore) {
  domain::CheckSection check;
  check.score = domain::ScoreRule{};
  EXPECT_TRUE(allows_rounding(check));
}

TEST(Rounding, IsAllowedByToleranceOnEveryOutput) {
  domain::CheckSection check;
  check.outputs = {{"a.txt", 1e-6, 0}, {"b.txt", 0, 1e-9}};
  EXPECT_TRUE(allows_rounding(check));
  check.outputs.push_back({"exact.txt", 0, 0});
  EXPECT_FALSE(allows_rounding(check));
}

TEST(Rounding, IsAllowedByAJudgeOfTheBaselinesAndNotByTheProgramsOwnWord) {
  domain::CheckSection check;
  check.command = "./app --verify";
  EXPECT_FALSE(allows_rounding(check));
  check.harness = {"verify.py"};
  EXPECT_TRUE(allows_rounding(check));
}

}  // namespace
}  // namespace arbor::engine
