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

TEST(Search, ARegressionHalvesItselfAndWeakensSimilarIdeas) {
  Campaign campaign;
  const auto slower = campaign.propose({"compiler.flags", "a", "", 1, 1.1});
  const auto similar = campaign.propose({"compiler.flags", "b", "", 1, 1.1});
  const auto other = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  campaign.play(slower, toy::reverted(-0.05));
  EXPECT_DOUBLE_EQ(campaign.search.idea(slower)->multiplier, 0.5);
  EXPECT_DOUBLE_EQ(campaign.search.idea(similar)->multiplier, 0.7);
  EXPECT_DOUBLE_EQ(campaign.search.idea(other)->multiplier, 1);
}

TEST(Search, ASuccessStrengthensSimilarIdeasAndWeakensAlternatives) {
  Campaign campaign;
  const auto batch = campaign.propose({"application.options", "batch=8", "knob:batch", 1, 1.2});
  const auto larger = campaign.propose({"application.options", "batch=16", "knob:batch", 1, 1.2});
  const auto similar = campaign.propose({"application.options", "chunk=2", "knob:chunk", 1, 1.2});
  campaign.play(batch, toy::kept(0.1));
  EXPECT_DOUBLE_EQ(campaign.search.idea(larger)->multiplier, 0.7);
  EXPECT_EQ(campaign.search.idea(larger)->state, IdeaState::kOpen);
  EXPECT_DOUBLE_EQ(campaign.search.idea(similar)->multiplier, 1.5);
}

struct Batch {
  explicit Batch(Campaign& campaign) {
    for (const int step : {-1, 1, 2, 3})
      ids.push_back(campaign.propose({"framework.knob",
                                      "batch=" + std::to_string(8 + step),
                                      "knob:batch",
                                      1,
                                      1.1,
                                      1,
                                      {},
                                      {},
                                      "",
                                      "",
                                      {},
                                      step}));
  }
  double multiplier(const Campaign& campaign, std::size_t i) const {
    return campaign.search.idea(ids[i])->multiplier;
  }
  std::vector<domain::ActionId> ids;  // by step: -1, 1, 2, 3
};

TEST(Search, ARegressionWeakensWhatLiesFurtherThatWayAndNotTheOtherWay) {
  Campaign campaign;
  const Batch batch(campaign);
  campaign.play(batch.ids[1], toy::reverted(-0.1));
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 2), 0.5);
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 3), 0.5);
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 0), 1);
}

TEST(Search, AFlatResultWeakensWhatLiesFurtherThatWayALittle) {
  Campaign campaign;
  const Batch batch(campaign);
  campaign.play(batch.ids[1], toy::inconclusive(0.0));
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 2), 0.7);
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 0), 1);
}

TEST(Search, AGainLeavesTheWayOnOpenAndWeakensTheWayBack) {
  Campaign campaign;
  const Batch batch(campaign);
  campaign.play(batch.ids[1], toy::kept(0.1));
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 2), 1);
  EXPECT_DOUBLE_EQ(batch.multiplier(campaign, 0), 0.7);
}

struct FastMath {
  explicit FastMath(Campaign& campaign)
      : whole(campaign.propose({"compiler.fast-math",
                                "fast-math",
                                "",
                                1,
                                1.6,
                                1,
                                {},
                                {},
                                "",
                                "fast-math",
                                {"fast-math-file", "associative-math"}})),
        part(campaign.propose(
            {"compiler.fast-math", "associative-math", "", 1, 1.5, 1, {}, {}, "", "fast-math"})),
        file(campaign.propose({"compiler.fast-math",
                               "fast-math-file",
                               "dot",
                               0.5,
                               1.6,
                               1,
                               {},
                               {},
                               "",
                               "fast-math"})) {}
  domain::ActionId whole, part, file;
};

TEST(Search, WhatAKeptIdeaCoversIsSupersededAndNotProposedAgain) {
  Campaign campaign;
  const FastMath math(campaign);
  campaign.play(math.part, toy::inconclusive(0.01));
  campaign.play(math.whole, toy::kept(0.3));
  EXPECT_EQ(campaign.search.idea(math.part)->state, IdeaState::kSuperseded);
  EXPECT_EQ(campaign.search.idea(math.file)->state, IdeaState::kSuperseded);
  EXPECT_EQ(campaign.search.idea(math.file)->note, "covered by fast-math, kept in n2");
  const FastMath again(campaign);
  EXPECT_EQ(again.file, math.file);
  EXPECT_EQ(campaign.search.idea(math.file)->state, IdeaState::kSuperseded);
  EXPECT_FALSE(campaign.search.ask());
}

TEST(Search, WhatAnIdeaThatChangedNothingCoversWaitsForItsRetry) {
  Campaign campaign;
  const FastMath math(campaign);
  auto refused = toy::verdict(domain::VerdictKind::kRejected, 0);
  refused.stage = domain::Stage::kApplied;
  refused.reason = "not-applied";
  campaign.play(math.whole, refused);
  EXPECT_EQ(campaign.search.idea(math.part)->note, "covered by fast-math, which changed nothing");
  EXPECT_FALSE(campaign.search.ask());
  campaign.play(campaign.propose({"compiler.isa", "native", "", 1, 1.1, 1, {"compiler.fast-math"}}),
                toy::kept(0.1));
  EXPECT_EQ(campaign.search.idea(math.whole)->state, IdeaState::kOpen);
  EXPECT_EQ(campaign.search.idea(math.part)->state, IdeaState::kOpen);
}

TEST(Search, APartThatWasKeptLeavesTheWholeOpen) {
  Campaign campaign;
  const FastMath math(campaign);
  campaign.play(math.part, toy::kept(0.3));
  EXPECT_EQ(campaign.search.idea(math.whole)->state, IdeaState::kOpen);
  EXPECT_EQ(campaign.search.ask()->action.id, math.whole);
}

TEST(Search, WhatWasSupersededReturnsWhenItsCoverIsRolledBack) {
  Campaign campaign;
  const FastMath math(campaign);
  campaign.play(math.part, toy::inconclusive(0.01));
  campaign.play(math.whole, toy::kept(0.3));
  campaign.search.roll_back({0}, "the guard failed");
  EXPECT_EQ(campaign.search.idea(math.part)->state, IdeaState::kTried);
  EXPECT_EQ(campaign.search.idea(math.file)->state, IdeaState::kOpen);
  EXPECT_EQ(campaign.search.idea(math.file)->note,
            "a1, which covered it, is open or was rolled back");
}

TEST(Search, NoNumberOfRegressionsZeroesACategory) {
  Campaign campaign;
  const auto last = campaign.propose({"compiler.flags", "last", "", 1, 1.1});
  for (int i = 0; i < 30; ++i)
    campaign.play(campaign.propose({"compiler.flags", "flag" + std::to_string(i), "", 1, 1.1}),
                  toy::reverted(-0.05));
  EXPECT_GE(campaign.search.idea(last)->multiplier, 0.1);
  EXPECT_GT(campaign.search.score(last).total, 0);
  EXPECT_EQ(campaign.search.ask()->action.id, last);
}

TEST(Search, TwoDiscardsOfAStrategyWeakenThatStrategyOnly) {
  Campaign campaign;
  const auto a = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  const auto b = campaign.propose({"kernel.loop", "tile", "norm", 0.3, 1.5});
  const auto third = campaign.propose({"kernel.loop", "tile", "parse", 0.1, 1.5});
  const auto other = campaign.propose({"kernel.loop", "swap", "parse", 0.1, 1.5});
  campaign.play(a, toy::crashed());
  EXPECT_DOUBLE_EQ(campaign.search.idea(third)->multiplier, 1);
  campaign.play(b, toy::crashed());
  EXPECT_DOUBLE_EQ(campaign.search.idea(third)->multiplier, 0.8);
  EXPECT_DOUBLE_EQ(campaign.search.idea(other)->multiplier, 1);
}

TEST(Search, MergesAnIdeaThatIsProposedAgain) {
  Campaign campaign;
  const auto first = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  campaign.play(campaign.propose({"compiler.flags", "-O3", "", 1, 1.2}), toy::kept(0.1));
  const auto fresh = campaign.search.propose(
      campaign.search.trunk(), {toy::action({"kernel.loop", "tile", "dot", 0.6, 1.8}),
                                toy::action({"kernel.loop", "swap", "dot", 0.6, 1.8})});
  EXPECT_EQ(fresh.size(), 1U);
  const auto idea = campaign.search.idea(first);
  EXPECT_EQ(idea->action.prediction.local_speedup, 1.8);
  EXPECT_EQ(idea->proposed_at, domain::NodeId{0});
  EXPECT_EQ(idea->note, "proposed at n0, again at n1");
}

TEST(Search, WhatWasKeptOrRevertedHereIsNotReopenedByProposingIt) {
  Campaign campaign;
  const toy::Idea tile{"kernel.loop", "tile", "dot", 0.5, 1.5};
  const auto id = campaign.propose(tile);
  campaign.play(id, toy::reverted(-0.02));
  campaign.propose(tile);
  EXPECT_EQ(campaign.search.idea(id)->state, IdeaState::kTried);
  EXPECT_FALSE(campaign.search.ask());
}

TEST(Search, ARevertedIdeaReturnsWhenWhatEnablesItWasKept) {
  Campaign campaign;
  const auto native = campaign.propose({"compiler.isa", "-march=native", "", 1, 1.1});
  campaign.play(native, toy::reverted(-0.2));
  const auto math =
      campaign.propose({"compiler.fast-math", "-ffast-math", "", 1, 1.3, 1, {"compiler.isa"}});
  campaign.play(math, toy::kept(0.4));
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->action.id, native);
  EXPECT_EQ(choice->why, "retry: -ffast-math was kept since n1");
  const auto again = campaign.play(*choice, toy::inconclusive(0.01));
  EXPECT_EQ(campaign.search.node(again).earlier_attempt, domain::NodeId{1});
}

TEST(Search, AWrongOutputNeverReturns) {
  Campaign campaign;
  const auto math = campaign.propose(
      {"compiler.fast-math", "-ffast-math", "", 1, 1.3, 1, {}, {"compiler.flags"}});
  auto wrong = toy::verdict(domain::VerdictKind::kRejected, 0);
  wrong.stage = domain::Stage::kCheck;
  wrong.reason = "wrong-output";
  wrong.gain.reset();
  campaign.play(math, wrong);
  campaign.play(campaign.propose({"compiler.flags", "-O3", "", 1, 1.2}), toy::kept(0.1));
  EXPECT_EQ(campaign.search.idea(math)->state, IdeaState::kTried);
}

TEST(Search, AnIdeaIsTriedAtMostThreeTimes) {
  Campaign campaign;
  const auto idea =
      campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5, 1, {}, {"compiler.flags"}});
  for (int i = 0; i < 5; ++i) {
    if (campaign.search.idea(idea)->state == IdeaState::kOpen)
      campaign.play(idea, toy::reverted(-0.01));
    campaign.play(campaign.propose({"compiler.flags", "f" + std::to_string(i), "", 1, 1.2}),
                  toy::kept(0.05));
  }
  EXPECT_EQ(campaign.search.idea(idea)->attempts, 3);
  EXPECT_EQ(campaign.search.idea(idea)->state, IdeaState::kTried);
}

TEST(Search, ANewProfileMovesTheSharesOfWhatItNames) {
  Campaign campaign;
  const auto dot = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  const auto norm = campaign.propose({"kernel.loop", "tile", "norm", 0.3, 1.5});
  const auto whole = campaign.propose({"compiler.flags", "-O3", "", 1, 1.2});
  campaign.play(whole, toy::kept(0.3));
  campaign.search.set_profile(campaign.search.trunk(), toy::profile({{"dot", 0.8}}));
  EXPECT_DOUBLE_EQ(campaign.search.idea(dot)->action.prediction.touched_share, 0.8);
  EXPECT_EQ(campaign.search.idea(norm)->action.prediction.touched_share, 0);
  EXPECT_EQ(campaign.search.idea(norm)->note, "norm is not in the profile of n1");
  EXPECT_EQ(campaign.search.ideas().back().action.id, norm);
  EXPECT_EQ(campaign.search.idea(whole)->action.prediction.touched_share, 1);
}

TEST(Search, ARevertedIdeaReturnsWhenItsTargetGrewByHalfOnANewTrunk) {
  Campaign campaign;
  const auto norm = campaign.propose({"kernel.loop", "tile", "norm", 0.3, 1.5});
  campaign.play(norm, toy::reverted(-0.01));
  campaign.search.set_profile({0}, toy::profile({{"norm", 0.9}}));
  EXPECT_EQ(campaign.search.idea(norm)->state, IdeaState::kTried);  // the same trunk
  campaign.play(campaign.propose({"compiler.flags", "-O3", "", 1, 1.2}), toy::kept(0.3));
  campaign.search.set_profile(campaign.search.trunk(), toy::profile({{"norm", 0.44}}));
  EXPECT_EQ(campaign.search.idea(norm)->state, IdeaState::kTried);  // not by half
  campaign.search.set_profile(campaign.search.trunk(), toy::profile({{"norm", 0.46}}));
  EXPECT_EQ(campaign.search.idea(norm)->state, IdeaState::kOpen);
  EXPECT_EQ(campaign.search.ask()->why, "retry: its share grew from 30 % to 46 % since n1");
}

TEST(Search, ATrialThatWasNeverMeasuredSaysNothingOfTheMinutesOfTheNext) {
  Campaign campaign;
  const auto refused = campaign.propose({"compiler.flags", "a", "", 1, 1.1, 2});
  const auto next = campaign.propose({"compiler.flags", "b", "", 1, 1.1, 2});
  auto verdict = toy::verdict(domain::VerdictKind::kRejected, 0);
  verdict.stage = domain::Stage::kApplied;
  campaign.play(refused, verdict);
  campaign.search.learn_minutes(campaign.search.idea(refused)->action, 0.01);
  EXPECT_DOUBLE_EQ(campaign.search.score(next).minutes, 2);
}

TEST(Search, ARetryKeepsItsReasonWhenProposedAgainAndAddsThatItsShareGrew) {
  Campaign campaign;
  const toy::Idea tile{"kernel.loop", "tile", "norm", 0.3, 1.5};
  campaign.play(campaign.propose(tile), toy::reverted(-0.01));
  campaign.play(campaign.propose({"compiler.flags", "-O3", "", 1, 1.2, 1, {"kernel.loop"}}),
                toy::kept(0.3));
  campaign.search.set_profile(campaign.search.trunk(), toy::profile({{"norm", 0.6}}));
  campaign.propose({"kernel.loop", "tile", "norm", 0.6, 1.5});
  EXPECT_EQ(campaign.search.ask()->why,
            "retry: -O3 was kept since n1; its share grew from 30 % to 60 % since n1");
}

TEST(Search, AProfileWithoutHotspotsChangesNoShare) {
  Campaign campaign;
  const auto dot = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  campaign.search.set_profile(campaign.search.trunk(), domain::Profile{});
  EXPECT_DOUBLE_EQ(campaign.search.idea(dot)->action.prediction.touched_share, 0.5);
}

TEST(Search, AConstraintForbidsUntilTheProfileShifts) {
  Campaign campaign;
  const auto dot = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  domain::Constraint constraint;
  constraint.scope.target = "dot";
  constraint.reason = "vectorising dot() was undone by the compiler";
  constraint.lapses = domain::Lapse::kProfileShift;
  campaign.search.add_constraint(constraint);
  EXPECT_EQ(campaign.search.idea(dot)->state, IdeaState::kForbidden);
  EXPECT_EQ(campaign.search.idea(dot)->note, "c1: vectorising dot() was undone by the compiler");
  EXPECT_FALSE(campaign.search.ask());
  EXPECT_EQ(campaign.search.stop_reason(), "all 1 open ideas are forbidden by constraints");
  campaign.search.set_profile({0}, toy::profile({{"dot", 0.9}}));
  EXPECT_TRUE(campaign.search.constraints().empty());
  EXPECT_EQ(campaign.search.lapsed_constraints().size(), 1U);
  EXPECT_EQ(campaign.search.ask()->action.id, dot);
}

TEST(Search, TenThousandIdeasAreRankedWithoutComparingEachWithEach) {
  Campaign campaign;
  std::vector<domain::Action> many;
  for (int i = 0; i < 10'000; ++i)
    many.push_back(toy::action({"kernel.loop",
                                "s" + std::to_string(i % 50),
                                "f" + std::to_string(i),
                                0.01 + 1e-6 * i,
                                1.01,
                                1,
                                {"kernel"},
                                {"kernel.loop"}}));
  EXPECT_EQ(campaign.search.propose({0}, many).size(), 10'000U);
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->action.parts.empty());  // each alone is too small, a few together are not
  EXPECT_EQ(campaign.search.ideas().size(), 10'001U);
}

TEST(Search, ARollbackMovesTheTrunkBackAndFreesWhatItAbandoned) {
  Campaign campaign;
  const auto first = campaign.propose({"compiler.flags", "-O3", "", 1, 1.2});
  const auto second = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.5});
  const auto good = campaign.play(first, toy::kept(0.1));
  campaign.play(second, toy::kept(0.2));
  campaign.search.roll_back(good, "its launches crash once in twenty");
  EXPECT_EQ(campaign.search.trunk(), good);
  EXPECT_DOUBLE_EQ(campaign.search.gain_so_far(), 0.1);
  EXPECT_EQ(campaign.search.idea(first)->state, IdeaState::kDone);
  EXPECT_EQ(campaign.search.idea(second)->state, IdeaState::kTried);
  EXPECT_EQ(campaign.search.nodes().size(), 3U);
}

}  // namespace
}  // namespace arbor::search
