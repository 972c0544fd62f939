// SPDX-License-Identifier: Apache-2.0
#include "engine/journal.h"

#include <gmock/gmock.h>
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
                    .is_cut = true,
                    .is_outlived = true};
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

TEST(Records, ReadPairsAndStagesThatSaidLess) {
  auto pair = encode(PairMeasured{domain::TrialId{2}, false, {}}, 17);
  for (const std::string said : {",\"is_outlived\":false", "\"is_outlived\":false,"})
    for (auto at = pair.body.find(said); at != std::string::npos; at = pair.body.find(said))
      pair.body.erase(at, said.size());
  ASSERT_EQ(pair.body.find("is_outlived"), std::string::npos);
  const auto back = decode(pair);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_FALSE(std::get<PairMeasured>(*back).pair.candidate.is_outlived);
  auto stage = encode(StageDone{domain::TrialId{2}, "build", "built", 1, ""}, 17);
  const auto at = stage.body.find("\"log\":\"\",");
  ASSERT_NE(at, std::string::npos) << stage.body;
  stage.body.erase(at, 9);
  EXPECT_TRUE(decode(stage));
}

TEST(Records, NameTheEntryThatCannotBeRead) {
  const auto unknown = decode({9, 0, "trial_imagined", "{}"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_NE(unknown.error().message.find("9"), std::string::npos);
  EXPECT_FALSE(decode({1, 0, "trial_ended", "{\"trial\":1}"}));
  EXPECT_FALSE(decode({1, 0, "trial_ended", "not json"}));
}

// What decode says of a record in whose text `from` was replaced.
std::string refusal(const Record& record, const std::string& from, const std::string& to) {
  auto event = encode(record, 17);
  event.sequence = 70;
  const auto at = event.body.find(from);
  EXPECT_NE(at, std::string::npos) << event.body;
  if (at != std::string::npos) event.body.replace(at, from.size(), to);
  const auto decoded = decode(event);
  if (decoded) return "";
  EXPECT_EQ(decoded.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_EQ(decoded.error().message.find("json.exception"), std::string::npos);
  return decoded.error().message;
}

TEST(Records, NameTheKeyThatIsMissingOrOfAnotherKind) {
  using testing::HasSubstr;
  const PairMeasured pair{domain::TrialId{2}, false, {}};
  EXPECT_THAT(refusal(pair, ",\"void_reason\":\"\"", ""),
              HasSubstr("journal entry 70 (pair_measured): 'pair.void_reason' is missing"));
  EXPECT_THAT(refusal(pair, "\"window\":0", "\"window\":0.5"),
              HasSubstr("'pair.window' is no whole number"));
  EXPECT_THAT(refusal(pair, "\"window\":0", "\"window\":1e308"),
              HasSubstr("'pair.window' is no whole number"));
  EXPECT_THAT(refusal(pair, "\"window\":0", "\"window\":99999999999"), HasSubstr("larger number"));
  EXPECT_THAT(refusal(pair, "\"x\":null", "\"x\":\"1\""), HasSubstr("'pair.x' cannot be read"));
  EXPECT_THAT(refusal(pair, "\"trial\":2", "\"trial\":2.0"), HasSubstr("'trial' is no whole"));
  EXPECT_THAT(refusal(pair, "\"guards\":[]", "\"guards\":[{}]"),
              HasSubstr("'pair.candidate.guards' cannot be read"));
  TrialEnded end;
  end.trial = domain::TrialId{1};
  end.node = domain::NodeId{1};
  end.constraints = {{}};
  EXPECT_EQ(refusal(end, "\"noise\"", "\"noise\""), "");
  EXPECT_THAT(refusal(end, "\"forbid\"", "\"allow\""), HasSubstr("no such word: allow"));
  EXPECT_THAT(refusal(end, "\"inconclusive\"", "\"won\""),
              HasSubstr("'verdict.kind' cannot be read: no verdict is called won"));
}

TEST(Records, RefuseNumbersThatNoCampaignCanHaveWritten) {
  using testing::HasSubstr;
  const PairMeasured pair{domain::TrialId{2}, false, {}};
  EXPECT_EQ(refusal(pair, "\"x\":null", "\"x\":0.25"), "");
  EXPECT_THAT(refusal(pair, "\"x\":null", "\"x\":1e308"), HasSubstr("'pair.x' is 1e+308"));
  EXPECT_THAT(refusal(pair, "\"wall_ns\":0", "\"wall_ns\":-1"),
              HasSubstr("a time is not negative"));
  EXPECT_THAT(refusal(pair, "\"metric\":null", "\"metric\":-1"), HasSubstr("not negative"));
  EXPECT_THAT(refusal(pair, "\"trial\":2", "\"trial\":-2"), HasSubstr("'trial' is -2"));
  const FinalMeasured final_measured{20, {0.25, 0.23, 0.27}, {}, "", {}};
  EXPECT_THAT(refusal(final_measured, "\"low\":0.23", "\"low\":0.26"),
              HasSubstr("'log_gain.estimate' is 0.25: it lies between low and high"));
  const Profiled profiled{domain::NodeId{0}, {"perf", 9, {{"f", "p", "f.c", 3, 0.6, 0.7}}, ""}, 0};
  EXPECT_EQ(refusal(profiled, "0.7", "1.0"), "");
  EXPECT_THAT(refusal(profiled, "0.7", "1.1"), HasSubstr("'profile.hotspots.total_share' is 1.1"));
  EXPECT_THAT(refusal(profiled, "\"node\":0", "\"node\":-1"), HasSubstr("'node' is -1"));
  Proposed proposed{domain::NodeId{0}, {{}}};
  EXPECT_THAT(refusal(proposed, "\"step\":0", "\"step\":-2147483648"), HasSubstr("actions.step"));
  EXPECT_THAT(refusal(proposed, "\"crash_risk\":0.0", "\"crash_risk\":-0.5"),
              HasSubstr("a share is between 0 and 1"));
  const SessionResumed resumed{"after a stop", 3, {}};
  EXPECT_THAT(refusal(resumed, "3.0", "-3.0"), HasSubstr("'spent_s' is -3"));
  EXPECT_FALSE(decode({1, -5, "campaign_stopped", encode(CampaignStopped{}, 0).body}));
}

}  // namespace
}  // namespace arbor::engine
