// SPDX-License-Identifier: Apache-2.0
#include "search/stopping.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

using toy::Campaign;

TEST(Stopping, AnEmptyFrontierSaysSo) {
  Campaign campaign;
  EXPECT_FALSE(campaign.search.ask());
  EXPECT_EQ(campaign.search.stop_reason(),
            "of 0 proposed ideas none is left; 0 were tried and not kept");
  EXPECT_EQ(campaign.search.upper_bound(), 0);
}

TEST(Stopping, TheGoalEndsTheSearchWithIdeasLeft) {
  SearchOptions options;
  options.goal_speedup = 1.2;
  Campaign campaign(options);
  campaign.propose({"compiler.lto", "-flto", "", 1, 1.2});
  const auto id = campaign.propose({"compiler.flags", "-O3", "", 1, 1.2});
  EXPECT_TRUE(campaign.search.stop_reason().empty());
  campaign.play(id, toy::kept(std::log(1.25)));
  EXPECT_FALSE(campaign.search.ask());
  EXPECT_EQ(campaign.search.stop_reason(), "goal reached: 1.250x of 1.200x");
}

TEST(Stopping, TenCrashesEndTheSearch) {
  Campaign campaign;
  campaign.propose({"compiler.lto", "-flto", "", 1, 1.2});
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(campaign.search.ask());
    campaign.play(campaign.propose({"compiler.flags", "f" + std::to_string(i), "", 1, 1.1}),
                  toy::crashed());
  }
  EXPECT_FALSE(campaign.search.ask());
  EXPECT_EQ(campaign.search.stop_reason(), "ten trials crashed, the limit is 10");
}

TEST(Stopping, AFrontierThatCannotBeatDeltaNamesWhatWouldBeNext) {
  SearchOptions options;
  options.delta1 = 0.05;
  Campaign campaign(options);
  campaign.propose({"kernel.loop", "tile", "parse", 0.02, 2});
  EXPECT_FALSE(campaign.search.ask());
  EXPECT_EQ(campaign.search.stop_reason(),
            "no open idea can gain 5.1 %: the best bound of 1 is 2.04 %; next would be: tile");
  EXPECT_NEAR(campaign.search.upper_bound(), -std::log(0.98), 1e-12);
}

TEST(Stopping, ATrialInFlightIsNotTheEnd) {
  Campaign campaign;
  campaign.propose({"compiler.flags", "-O3", "", 1, 1.2});
  const auto choice = campaign.search.ask();
  const auto node = campaign.search.begin(*choice, {1});
  EXPECT_FALSE(campaign.search.ask());
  EXPECT_TRUE(campaign.search.stop_reason().empty());
  campaign.search.tell(node, toy::reverted(-0.1), {}, "", "");
  EXPECT_EQ(campaign.search.stop_reason(),
            "of 1 proposed ideas none is left; 1 were tried and not kept");
}

TEST(Stopping, AShareBoundsWhatAnIdeaCanGain) {
  Campaign campaign;
  auto action = toy::action({"kernel.loop", "tile", "dot", 0.5, 2});
  action.prediction.upper_speedup = 10;
  campaign.search.propose({0}, {action});
  EXPECT_NEAR(campaign.search.upper_bound(), std::log(2), 1e-12);
}

}  // namespace
}  // namespace arbor::search
