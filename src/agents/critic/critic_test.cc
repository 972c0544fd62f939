// SPDX-License-Identifier: Apache-2.0
#include "agents/critic/critic.h"

#include <gtest/gtest.h>

namespace arbor::agents {
namespace {

std::vector<domain::Pair> pairs_of(int count, double x) {
  std::vector<domain::Pair> pairs;
  for (int i = 1; i <= count; ++i) {
    domain::Pair pair;
    pair.index = i;
    pair.x = x + (i % 2 == 0 ? 0.01 : -0.01);
    pairs.push_back(pair);
  }
  return pairs;
}

KeepProposal sound_keep() {
  KeepProposal proposal;
  proposal.pairs = pairs_of(6, 0.20);
  proposal.confirm_pairs = pairs_of(6, 0.18);
  return proposal;
}

TEST(Critic, SignsAKeepWhoseStagesAgree) { EXPECT_TRUE(sign_keep(sound_keep()).is_signed); }

TEST(Critic, VetoesWhenTheHarnessWasTouched) {
  auto proposal = sound_keep();
  proposal.is_harness_intact = false;
  EXPECT_EQ(sign_keep(proposal).rule, "harness");
}

TEST(Critic, VetoesWhenALaunchOfTheCandidateCrashed) {
  auto proposal = sound_keep();
  proposal.confirm_pairs[2].candidate.exit_code = 139;
  EXPECT_EQ(sign_keep(proposal).rule, "stability");
}

TEST(Critic, VetoesAConfirmationWithTooFewPairs) {
  auto proposal = sound_keep();
  proposal.confirm_pairs.resize(3);
  EXPECT_EQ(sign_keep(proposal).rule, "confirm");
}

TEST(Critic, VetoesAConfirmationFarAboveTheFirstStage) {
  auto proposal = sound_keep();
  proposal.confirm_pairs = pairs_of(6, 0.9);
  EXPECT_EQ(sign_keep(proposal).rule, "stages");
}

TEST(Critic, ForbidsWhatDoesNotBuildOnThisBranchOnly) {
  domain::Action action;
  action.category = "compiler.flags";
  action.strategy = "-fno-such";
  domain::Verdict verdict;
  verdict.kind = domain::VerdictKind::kCrashed;
  verdict.stage = domain::Stage::kBuild;
  verdict.detail = "make: entering\ncc1plus: error: unrecognized command-line option '-fno-such'\n";
  const auto review = review_failure(action, verdict, domain::NodeId{3}, domain::TrialId{5});
  ASSERT_EQ(review.constraints.size(), 1U);
  EXPECT_EQ(review.constraints[0].scope.strategy, "-fno-such");
  EXPECT_EQ(review.constraints[0].scope.subtree, domain::NodeId{3});
  EXPECT_NE(review.annotation.find("unrecognized command-line option"), std::string::npos);
}

TEST(Critic, KnowsAnInstructionThatTheProcessorLacks) {
  domain::Verdict verdict;
  verdict.kind = domain::VerdictKind::kCrashed;
  verdict.stage = domain::Stage::kCheck;
  const auto says_so = [&](const std::string& detail) {
    verdict.detail = detail;
    return review_failure({}, verdict, domain::NodeId{0}, domain::TrialId{1})
        .annotation.contains("lacks an instruction");
  };
  EXPECT_TRUE(says_so("the check was killed by signal 4; it said: Illegal instruction"));
  EXPECT_FALSE(says_so("the check was killed by signal 11; it said: 132 rows"));
}

TEST(Critic, LeavesAnInconclusiveIdeaAliveAndNamesWhatMayBringItBack) {
  domain::Action action;
  action.enabled_by = {"compiler.fast-math"};
  domain::Verdict verdict;
  verdict.kind = domain::VerdictKind::kInconclusive;
  const auto review = review_failure(action, verdict, domain::NodeId{0}, domain::TrialId{1});
  EXPECT_TRUE(review.constraints.empty());
  EXPECT_NE(review.annotation.find("compiler.fast-math"), std::string::npos);
}

}  // namespace
}  // namespace arbor::agents
