// SPDX-License-Identifier: Apache-2.0
// The search is a function of the calls made to it: what resume relies on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/hash.h"
#include "base/random.h"
#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

const std::vector<std::string> kCategories = {"compiler.flags", "compiler.isa", "kernel.loop",
                                              "runtime.wait", "runtime.threads"};
const std::vector<std::string> kTargets = {"", "dot", "norm", "parse", "knob:batch"};

domain::Action random_action(base::Random& random) {
  toy::Idea idea;
  idea.category = kCategories[random.below(kCategories.size())];
  idea.strategy = fmt::format("s={}", random.below(6));
  idea.target = kTargets[random.below(kTargets.size())];
  idea.share = idea.target.empty() ? 1 : 0.5 * random.uniform();
  idea.speedup = 1 + random.uniform();
  idea.minutes = 1 + 4 * random.uniform();
  if (random.coin()) idea.enables = {kCategories[random.below(kCategories.size())]};
  return toy::action(idea);
}

domain::Verdict random_verdict(base::Random& random) {
  const double gain = 0.05 * random.normal();
  switch (random.below(5)) {
    case 0:
      return toy::kept(std::abs(gain));
    case 1:
      return toy::reverted(gain);
    case 2:
      return random.below(4) == 0 ? toy::crashed() : toy::reverted(-std::abs(gain));
    default:
      return toy::inconclusive(gain / 5);
  }
}

domain::Profile random_profile(base::Random& random) {
  return toy::profile({{"dot", 0.5 * random.uniform()},
                       {random.coin() ? "norm" : "norm(int)::{lambda()#1}", 0.3},
                       {"parse", 0.2 * random.uniform()}});
}

std::string described(const Choice& choice) {
  return fmt::format("{} {} on {}: {:.9f} {}\n", choice.action.id.text(), choice.action.title,
                     choice.parent.text(), choice.score.total, choice.why);
}

// One random campaign, as a text of all it answered.
std::string played(std::uint64_t seed, int steps) {
  base::Random random(seed);
  SearchOptions options;
  options.seed = seed;
  options.crash_limit = 1000;
  toy::Campaign campaign(options);
  std::string text;
  for (int i = 0; i < steps; ++i) {
    if (i % 4 == 0) {
      std::vector<domain::Action> some;
      for (std::uint64_t n = random.below(4); n-- > 0;) some.push_back(random_action(random));
      for (const auto id : campaign.search.propose(campaign.search.trunk(), some))
        text += id.text() + " ";
    }
    const auto choice = campaign.search.ask();
    text += choice ? described(*choice) : campaign.search.stop_reason() + "\n";
    if (!choice) continue;
    const auto node = campaign.play(*choice, random_verdict(random));
    if (campaign.search.trunk() == node) campaign.search.set_profile(node, random_profile(random));
    campaign.search.learn_minutes(choice->action, 1 + random.uniform());
  }
  return text;
}

void expect_sound(const Search& search) {
  for (const auto& idea : search.ideas()) {
    EXPECT_LE(idea.attempts, 3) << idea.action.id.text();
    EXPECT_GE(idea.multiplier, 0.1);
    EXPECT_LE(idea.multiplier, 4);
    EXPECT_TRUE(std::isfinite(search.score(idea.action.id).total));
  }
  for (auto id = search.trunk(); id != domain::NodeId{0}; id = search.node(id).parent)
    EXPECT_EQ(search.node(id).verdict->kind, domain::VerdictKind::kKept);
}

TEST(Replay, TheSameCallsGiveTheSameAnswers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(played(seed, 60), played(seed, 60)) << "seed " << seed;
  }
}

TEST(Replay, RandomCampaignsKeepTheInvariantsOfTheTree) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    base::Random random(seed);
    toy::Campaign campaign;
    for (int i = 0; i < 40; ++i) {
      campaign.search.propose(campaign.search.trunk(), {random_action(random)});
      const auto choice = campaign.search.ask();
      if (!choice) continue;
      EXPECT_EQ(choice->parent, campaign.search.trunk());
      campaign.play(*choice, random_verdict(random));
    }
    expect_sound(campaign.search);
  }
}

TEST(Replay, AskingMoreOftenChangesNoAnswer) {
  toy::Campaign once, twice;
  base::Random random(3);
  for (int i = 0; i < 30; ++i) {
    const auto action = random_action(random);
    const auto verdict = random_verdict(random);
    for (auto* campaign : {&once, &twice})
      campaign->search.propose(campaign->search.trunk(), {action});
    twice.search.ask();
    twice.search.ideas();
    const auto a = once.search.ask(), b = twice.search.ask();
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    EXPECT_EQ(described(*a), described(*b));
    once.play(*a, verdict);
    twice.play(*b, verdict);
  }
}

// A change of this signature is a change of the search: the commit that makes it says why and with
// what evidence.
TEST(Replay, TheSearchSignatureOfAToyCampaignIsKnown) {
  EXPECT_EQ(base::content_hash(played(42, 200)), "40f7107a5c8a1f341a3c323d1de928b4");
}

}  // namespace
}  // namespace arbor::search
