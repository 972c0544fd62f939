// SPDX-License-Identifier: Apache-2.0
#include "engine/journal.h"

#include <gtest/gtest.h>

namespace arbor::engine {
namespace {

Record there_and_back(const Record& record) {
  auto event = encode(record, 17);
  event.sequence = 3;
  auto decoded = decode(event);
  EXPECT_TRUE(decoded) << decoded.error().message;
  return decoded ? *decoded : Record{};
}

TEST(Records, KeepUnknownApartFromZero) {
  domain::Pair pair;
  pair.index = 4;
  pair.trunk.metric = 0.0;
  const auto back =
      std::get<PairMeasured>(there_and_back(PairMeasured{domain::TrialId{2}, true, pair}));
  EXPECT_EQ(back.pair, pair);
  EXPECT_TRUE(back.pair.trunk.metric.has_value());
  EXPECT_FALSE(back.pair.candidate.metric.has_value());
}

TEST(Records, KeepEverythingThatIsKnownOfALaunch) {
  domain::Pair pair;
  pair.candidate = {.wall_ns = 5,
                    .user_ns = 3,
                    .system_ns = 1,
                    .peak_bytes = 9,
                    .metric = 0.5,
                    .guards = {1.0, std::nullopt},
                    .exit_code = 137,
                    .failure = "it was stopped for taking too long",
                    .is_cut = true};
  const auto back =
      std::get<PairMeasured>(there_and_back(PairMeasured{domain::TrialId{2}, false, pair}));
  EXPECT_EQ(back.pair, pair);
}

TEST(Records, KeepAVerdictWithItsKeysAndRecipe) {
  TrialEnded end;
  end.trial = domain::TrialId{7};
  end.node = domain::NodeId{7};
  end.verdict = {domain::VerdictKind::kKept,
                 domain::Stage::kConfirm,
                 "",
                 "1.2×",
                 domain::Interval{0.2, 0.1, 0.3},
                 12};
  end.keys = {{"orchestrator", true, "fast"}, {"critic", true, "sound"}};
  end.recipe.entries = {domain::CompilerFlags{{"-O3"}, {"-O*"}, {"src/a b.c"}, true},
                        domain::KnobValue{"k", "ü"}};
  const auto back = std::get<TrialEnded>(there_and_back(end));
  EXPECT_EQ(back.verdict, end.verdict);
  EXPECT_EQ(back.keys, end.keys);
  EXPECT_EQ(back.recipe, end.recipe);
}

TEST(Records, KeepAnActionWithItsConstraint) {
  Proposed proposed;
  proposed.node = domain::NodeId{0};
  domain::Action action;
  action.layer = domain::Layer::kKernel;
  action.strategy = "omp-simd-reduction";
  action.parts = {domain::ActionId{1}, domain::ActionId{2}};
  proposed.actions = {action};
  EXPECT_EQ(std::get<Proposed>(there_and_back(proposed)).actions, proposed.actions);
}

TEST(Records, KeepWhatTheManifestAndTheToolchainWere) {
  CampaignStarted started;
  started.manifest =
      domain::ManifestSource{"schema = 1\n# ü\n", "", {{"goal.speedup", "2x", "--goal"}}};
  started.toolchain = {"ab12", {{"g++", "/usr/bin/g++", "g++ 12.2.0"}}};
  const auto back = std::get<CampaignStarted>(there_and_back(started));
  EXPECT_EQ(back.manifest, started.manifest);
  EXPECT_EQ(back.toolchain, started.toolchain);
}

TEST(Records, ReadACampaignThatKeptOnlyTheHashOfItsManifest) {
  auto event = encode(CampaignStarted{}, 17);
  const auto cut = [&](const std::string& from, const std::string& to) {
    const auto at = event.body.find(from);
    ASSERT_NE(at, std::string::npos) << event.body;
    event.body.replace(at, from.size(), to);
  };
  cut("\"manifest\":null,", "");
  cut("\"toolchain\":{\"hash\":\"\",\"tools\":[]}", "\"toolchain\":\"\"");
  const auto back = decode(event);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_FALSE(std::get<CampaignStarted>(*back).manifest.has_value());
  EXPECT_EQ(std::get<CampaignStarted>(*back).toolchain.hash, "");
}

TEST(Records, NameTheEntryThatCannotBeRead) {
  const auto unknown = decode({9, 0, "trial_imagined", "{}"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_NE(unknown.error().message.find("9"), std::string::npos);
  EXPECT_FALSE(decode({1, 0, "trial_ended", "{\"trial\":1}"}));
  EXPECT_FALSE(decode({1, 0, "trial_ended", "not json"}));
}

}  // namespace
}  // namespace arbor::engine
