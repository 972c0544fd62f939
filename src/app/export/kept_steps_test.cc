// SPDX-License-Identifier: Apache-2.0
#include "app/export/kept_steps.h"

#include <gmock/gmock.h>

#include "app/campaign_fixture.h"

namespace arbor::app {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;

using KeptSteps = CampaignFixture;

TEST_F(KeptSteps, LeaveOutWhatWasRolledBack) {
  begin_campaign();
  const std::map<std::string, domain::Change> kept = {
      {"loop", source_change("1", "2")},
      {"-O3", {{domain::CompilerFlags{{"-O3"}, {}, {}, false}}, "-O3"}}};
  ASSERT_TRUE(end_next(kept));
  ASSERT_TRUE(end_next(kept));
  ASSERT_EQ(state_.count(domain::VerdictKind::kKept), 2);
  ASSERT_EQ(kept_trials(state_).size(), 2U);
  state_.search->roll_back(domain::NodeId{1}, "it no longer earns");
  const auto trials = kept_trials(state_);
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0]->start.node, domain::NodeId{1});
}

TEST_F(KeptSteps, HaveACommitOnlyWhereTheyChangeSources) {
  begin_campaign();
  const std::map<std::string, domain::Change> kept = {
      {"loop", source_change("1", "2")},
      {"-O3", {{domain::CompilerFlags{{"-O3"}, {}, {}, false}}, "-O3"}}};
  ASSERT_TRUE(end_next(kept));
  ASSERT_TRUE(end_next(kept));
  const auto steps = commit_kept_steps(*repository_, state_);
  ASSERT_TRUE(steps) << steps.error().message;
  ASSERT_EQ(steps->size(), 2U);
  for (const auto& step : *steps) {
    const bool is_source = step.trial->start.choice.action.strategy == "loop";
    EXPECT_EQ(step.commit.empty(), !is_source) << step.trial->start.choice.action.title;
  }
}

TEST(StepsByHand, AreThoseThatNoFileExpresses) {
  domain::Knob argument, file, variable;
  argument.name = "batch";
  argument.kind = domain::KnobKind::kArgument;
  argument.argument = "--batch {}";
  file.name = "cache";
  file.kind = domain::KnobKind::kFileTemplate;
  file.file = "server.conf";
  variable.name = "threads";
  variable.variable = "THREADS";
  const domain::Recipe recipe{{domain::KnobValue{"batch", "8"}, domain::KnobValue{"cache", "64"},
                               domain::KnobValue{"threads", "2"}, domain::ProfileGuided{"ab"},
                               domain::CompilerFlags{{"-O3"}, {}, {}, false}}};
  domain::Manifest manifest;
  manifest.knobs = {argument, file, variable};
  manifest.bench.train = "./server --train";
  EXPECT_THAT(steps_by_hand(recipe, manifest),
              ElementsAre(HasSubstr("argument '--batch {}'"), HasSubstr("file 'server.conf'"),
                          AllOf(HasSubstr("-fprofile-use"), HasSubstr("./server --train"))));
}

}  // namespace
}  // namespace arbor::app
