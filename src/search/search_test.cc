// SPDX-License-Identifier: Apache-2.0
#include "search/search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

using toy::Campaign;

TEST(Search, HandsOutTheIdeaWithTheLargestGainPerMinuteFirst) {
  Campaign campaign;
  campaign.propose({"compiler.flags", "-funroll-loops", "", 1, 1.02});
  const auto best = campaign.propose({"kernel.loop", "interchange", "dot", 0.5, 2.8});
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->action.id, best);
  EXPECT_EQ(choice->parent, campaign.search.trunk());
  EXPECT_EQ(choice->score, campaign.search.score(best));
  EXPECT_TRUE(choice->why.starts_with("best of 2 open: +47.4 % expected")) << choice->why;
}

TEST(Search, GivesTheSameAnswerUntilSomethingIsSaid) {
  Campaign campaign;
  campaign.propose({"compiler.flags", "a", "", 1, 1.1});
  campaign.propose({"compiler.lto", "b", "", 1, 1.1});
  const auto first = campaign.search.ask();
  const auto second = campaign.search.ask();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->action, second->action);
  campaign.search.begin(*first, {1});
  const auto third = campaign.search.ask();
  ASSERT_TRUE(third);
  EXPECT_NE(third->action.id, first->action.id);
}

TEST(Search, AKeptTrialMovesTheTrunkAndAddsItsGain) {
  Campaign campaign;
  const auto id = campaign.propose({"compiler.flags", "-O3", "", 1, 1.3});
  const auto node = campaign.play(id, toy::kept(0.2));
  EXPECT_EQ(campaign.search.trunk(), node);
  EXPECT_DOUBLE_EQ(campaign.search.gain_so_far(), 0.2);
  EXPECT_EQ(campaign.search.idea(id)->state, IdeaState::kDone);
  EXPECT_EQ(campaign.search.node(node).commit, "c1");
  EXPECT_EQ(campaign.search.node(node).parent, domain::NodeId{0});
}

}  // namespace
}  // namespace arbor::search
