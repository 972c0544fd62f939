// SPDX-License-Identifier: Apache-2.0
#include "search/combination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

using toy::Campaign;
using Parts = std::vector<domain::ActionId>;

TEST(Combination, NearMissesAreTriedTogetherWhenTheirMeansPromiseDelta) {
  Campaign campaign;
  const auto tile = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.1});
  const auto swap = campaign.propose({"kernel.loop", "swap", "norm", 0.3, 1.1});
  campaign.play(tile, toy::inconclusive(0.006));
  EXPECT_EQ(campaign.search.ask()->action.id, swap);
  campaign.play(swap, toy::inconclusive(0.007));
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->action.parts, (Parts{tile, swap}));
  EXPECT_EQ(choice->action.category, "combined");
  EXPECT_EQ(choice->action.title, "Together: tile + swap");
  EXPECT_NEAR(choice->score.g, 0.013, 1e-9);
  EXPECT_TRUE(choice->action.id.is_valid());
}

TEST(Combination, NearMissesThatPromiseLessStayApart) {
  Campaign campaign;
  campaign.play(campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.1}),
                toy::inconclusive(0.004));
  campaign.play(campaign.propose({"kernel.loop", "swap", "norm", 0.3, 1.1}),
                toy::inconclusive(0.005));
  campaign.play(campaign.propose({"kernel.loop", "skew", "parse", 0.1, 1.1}),
                toy::inconclusive(-0.02));
  EXPECT_FALSE(campaign.search.ask());
}

TEST(Combination, KeptTogetherTheirPartsAreDone) {
  Campaign campaign;
  const auto tile = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.1});
  const auto swap = campaign.propose({"kernel.loop", "swap", "norm", 0.3, 1.1});
  campaign.play(tile, toy::inconclusive(0.006));
  campaign.play(swap, toy::inconclusive(0.007));
  const auto choice = campaign.next(toy::kept(0.02));
  EXPECT_EQ(campaign.search.idea(tile)->state, IdeaState::kDone);
  EXPECT_EQ(campaign.search.idea(swap)->state, IdeaState::kDone);
  EXPECT_EQ(campaign.search.idea(choice.action.id)->state, IdeaState::kDone);
  EXPECT_EQ(campaign.search.node(campaign.search.trunk()).actions,
            (Parts{choice.action.id, tile, swap}));
}

// Else a bad part spoils one combination after the other, and the good ones are never seen.
TEST(Combination, WhatLostTogetherIsTriedAloneBeforeItIsCombinedAgain) {
  Campaign campaign;
  const auto enabler = campaign.propose({"compiler.math", "fast", "dot", 0.5, 1.005});
  campaign.propose({"kernel.loop", "swap", "dot", 0.4, 1.1, 1, {}, {"fast"}});
  campaign.propose({"kernel.loop", "tile", "norm", 0.3, 1.1, 1, {}, {"fast"}});
  std::vector<Parts> together;
  for (int i = 0; i < 6; ++i) {
    const auto choice = campaign.search.ask();
    if (!choice) break;
    campaign.next(toy::reverted(-0.3));
    if (choice->action.parts.empty()) continue;
    for (const auto part : choice->action.parts)
      EXPECT_TRUE(together.empty() || campaign.search.idea(part)->attempts > 0) << part.text();
    together.push_back(choice->action.parts);
  }
  ASSERT_FALSE(together.empty());
  EXPECT_NE(std::ranges::find(together[0], enabler), together[0].end());
}

TEST(Combination, NotKeptItIsNotTriedAgainOnTheSameTrunk) {
  Campaign campaign;
  const auto tile = campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.1});
  const auto swap = campaign.propose({"kernel.loop", "swap", "norm", 0.3, 1.1});
  campaign.play(tile, toy::inconclusive(0.006));
  campaign.play(swap, toy::inconclusive(0.007));
  const auto first = campaign.next(toy::inconclusive(0.005));
  EXPECT_EQ(first.action.parts.size(), 2U);
  EXPECT_FALSE(campaign.search.ask());
  campaign.play(campaign.propose({"runtime.allocator", "mimalloc", "", 1, 1.2}), toy::kept(0.1));
  const auto again = campaign.search.ask();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->action.parts, first.action.parts);
  EXPECT_EQ(again->action.id, first.action.id);
}

TEST(Combination, AnEnablerThatLosesAloneIsTriedWithWhatItEnables) {
  Campaign campaign;
  const auto threads = campaign.propose(
      {"runtime.threads", "threads=2", "knob:threads", 1, 1.3, 1, {"runtime.wait"}});
  campaign.play(threads, toy::reverted(-0.05));
  const auto spin = campaign.propose({"runtime.wait", "wait=spin", "knob:wait", 1, 1.05});
  campaign.play(spin, toy::reverted(-0.01));
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->action.parts, (Parts{threads, spin}));
  EXPECT_EQ(choice->why, "combined trial: threads=2 may not pay alone but enables the rest");
}

TEST(Combination, ANeutralEnablerGoesWithAnOpenDependent) {
  Campaign campaign;
  const auto native = campaign.propose({"compiler.isa", "-march=native", "", 1, 1.1});
  campaign.play(native, toy::inconclusive(0.0));
  const auto math =
      campaign.propose({"compiler.fast-math", "-ffast-math", "", 1, 1.3, 1, {}, {"-march"}});
  // Handed out first is the dependent alone or both: whatever fails, the other still comes.
  std::vector<Parts> seen;
  for (int i = 0; i < 2; ++i) seen.push_back(campaign.next(toy::reverted(-0.01)).action.parts);
  EXPECT_TRUE(seen[0] == (Parts{native, math}) || seen[1] == (Parts{native, math}));
}

TEST(Combination, AlternativesNeverShareATrial) {
  Campaign campaign;
  for (const char* value : {"batch=8", "batch=16", "batch=32"})
    campaign.play(campaign.propose({"application.options", value, "knob:batch", 1, 1.2}),
                  toy::inconclusive(0.02));
  EXPECT_FALSE(campaign.search.ask());
}

TEST(Combination, TheWholeAndItsPartsNeverShareATrial) {
  Campaign campaign;
  const auto whole =
      campaign.propose({"compiler.fast-math", "fast-math", "", 1, 1.3, 1, {}, {}, "", "fast-math"});
  const auto part = campaign.propose(
      {"compiler.fast-math", "associative-math", "", 1, 1.2, 1, {}, {}, "", "fast-math"});
  const auto isa =
      campaign.propose({"compiler.isa", "-march=native", "", 1, 1.005, 1, {"compiler.fast-math"}});
  for (const auto id : {isa, part, whole}) campaign.play(id, toy::inconclusive(0.01));
  int combined = 0;
  while (const auto choice = campaign.search.ask()) {
    const auto& parts = choice->action.parts;
    EXPECT_FALSE(std::ranges::count(parts, whole) + std::ranges::count(parts, part) > 1);
    combined += parts.empty() ? 0 : 1;
    campaign.play(*choice, toy::inconclusive(0.005));
  }
  EXPECT_GE(combined, 2);
}

TEST(Combination, OfAlternativeDependentsEachGetsItsTurn) {
  Campaign campaign;
  const auto threads = campaign.propose(
      {"runtime.threads", "threads=2", "knob:threads", 1, 1.3, 1, {"runtime.wait"}});
  campaign.play(threads, toy::reverted(-0.05));
  const auto spin = campaign.propose({"runtime.wait", "wait=spin", "knob:wait", 1, 1.05});
  const auto yield = campaign.propose({"runtime.wait", "wait=yield", "knob:wait", 1, 1.04});
  campaign.play(spin, toy::reverted(-0.01));
  campaign.play(yield, toy::reverted(-0.01));
  const auto first = campaign.next(toy::reverted(-0.01)).action.parts;
  const auto second = campaign.next(toy::reverted(-0.01)).action.parts;
  EXPECT_EQ(first.size(), 2U);
  EXPECT_EQ(second.size(), 2U);
  EXPECT_NE(first, second);
  EXPECT_FALSE(campaign.search.ask());
}

struct Waiting {
  explicit Waiting(Campaign& campaign)
      : threads(campaign.propose({"runtime.threads",
                                  "threads=2",
                                  "knob:threads",
                                  1,
                                  1.2,
                                  1,
                                  {},
                                  {},
                                  "",
                                  "",
                                  {},
                                  0,
                                  {"runtime.wait"}})),
        yield(campaign.propose({"runtime.wait", "wait=yield", "knob:wait", 1, 1.01})),
        spin(campaign.propose({"runtime.wait", "wait=spin", "knob:wait", 1, 1.02})) {}
  domain::ActionId threads, yield, spin;
};

TEST(Combination, WhatMayLoseAloneIsTriedWithItsBestPartnerFirst) {
  Campaign campaign;
  const Waiting ideas(campaign);
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->action.parts, (Parts{ideas.threads, ideas.spin}));
  EXPECT_EQ(choice->why, "pair: threads=2 may lose alone");
  EXPECT_NEAR(choice->score.g, 1.5 * (std::log(1.2) + std::log(1.02)), 1e-9);
}

TEST(Combination, APairThatLosesWeakensItsPartsAndGivesWayToTheNextPartner) {
  Campaign campaign;
  const Waiting ideas(campaign);
  campaign.next(toy::reverted(-0.3));
  EXPECT_DOUBLE_EQ(campaign.search.idea(ideas.threads)->multiplier, 0.7);
  EXPECT_DOUBLE_EQ(campaign.search.idea(ideas.spin)->multiplier, 0.7);
  EXPECT_DOUBLE_EQ(campaign.search.idea(ideas.yield)->multiplier, 1);
  EXPECT_EQ(campaign.search.ask()->action.parts, (Parts{ideas.threads, ideas.yield}));
}

TEST(Combination, WhatWasTriedAloneFormsNoPairFromTheStart) {
  Campaign campaign;
  const Waiting ideas(campaign);
  campaign.play(ideas.threads, toy::inconclusive(0.0));
  EXPECT_TRUE(campaign.search.ask()->action.parts.empty());
}

TEST(Combination, AForbiddenPartForbidsTheWhole) {
  Campaign campaign;
  campaign.play(campaign.propose({"kernel.loop", "tile", "dot", 0.5, 1.1}),
                toy::inconclusive(0.02));
  campaign.play(campaign.propose({"kernel.loop", "swap", "norm", 0.3, 1.1}),
                toy::inconclusive(0.02));
  domain::Constraint constraint;
  constraint.scope.strategy = "swap";
  campaign.search.add_constraint(constraint);
  EXPECT_FALSE(campaign.search.ask());
}

TEST(Combination, IdeasTooSmallToProveAloneAreTriedTogetherAtTheEnd) {
  Campaign campaign;
  for (const char* flag : {"a", "b", "c"})
    campaign.propose({"compiler.flags", flag, "", 1, 1.003, 1});
  const auto none = campaign.search.ask();
  EXPECT_FALSE(none);  // 0.9 % together
  campaign.propose({"compiler.lto", "d", "", 1, 1.003, 1});
  campaign.propose({"system", "e", "", 1, 1.003, 1});
  const auto choice = campaign.search.ask();
  ASSERT_TRUE(choice);
  EXPECT_GE(choice->action.parts.size(), 2U);
  EXPECT_NEAR(choice->action.prediction.upper_speedup, std::pow(1.003, 4), 1e-9);
}

}  // namespace
}  // namespace arbor::search
