// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kName = "program.knobs";

domain::Knob knob(const std::string& name, domain::Layer layer, const std::string& value,
                  const std::vector<std::string>& values) {
  domain::Knob made;
  made.name = name;
  made.layer = layer;
  made.default_value = value;
  made.values = values;
  return made;
}

SampleProgram tunable_program() {
  SampleProgram program;
  program.manifest.knobs = {
      knob("threads", domain::Layer::kRuntime, "1", {"1", "2"}),
      knob("wait", domain::Layer::kRuntime, "block", {"spin", "yield", "block"}),
      knob("batch", domain::Layer::kFramework, "4", {"4", "8"})};
  return program;
}

TEST(Knobs, ProposesEachValueButTheOneInUse) {
  const auto actions = tunable_program().propose(kName);
  EXPECT_THAT(strategies(actions),
              ElementsAre("knob:threads", "knob:wait", "knob:wait", "knob:batch"));
  EXPECT_EQ(actions[3].layer, domain::Layer::kFramework);
  EXPECT_EQ(actions[3].category, "framework.knob");
}

TEST(Knobs, ProposesNeitherTheValueThatTheRecipeSetNorTheOneItLeft) {
  auto program = tunable_program();
  program.recipe.entries = {domain::KnobValue{"batch", "8"}};
  for (const auto& action : program.propose(kName)) EXPECT_NE(action.target, "knob:batch");
}

TEST(Knobs, OfOneLayerEnableEachOther) {
  const auto actions = tunable_program().propose(kName);
  EXPECT_THAT(actions[0].enabled_by, ElementsAre("knob:wait"));
  EXPECT_THAT(actions[1].enables, ElementsAre("knob:threads"));
  EXPECT_THAT(actions[3].enables, IsEmpty());
}

TEST(Knobs, ThreadCountsArePredictedByTheIdleCoresAndGoWithAWaitPolicy) {
  const auto actions = tunable_program().propose(kName);
  EXPECT_EQ(actions[0].category, "runtime.threads");
  EXPECT_DOUBLE_EQ(actions[0].prediction.local_speedup, 1.2);
  EXPECT_DOUBLE_EQ(actions[0].prediction.upper_speedup, 2);
  EXPECT_THAT(actions[0].pays_with, ElementsAre("runtime.wait"));
  EXPECT_EQ(actions[1].category, "runtime.wait");
  EXPECT_GT(actions[1].prediction.local_speedup, actions[2].prediction.local_speedup);
}

TEST(Knobs, WithoutIdleCoresNeitherThreadsNorSpinningAreProposed) {
  auto program = tunable_program();
  program.machine.idle_cpus = 1;
  const auto actions = program.propose(kName);
  EXPECT_THAT(strategies(actions), ElementsAre("knob:wait", "knob:batch"));
  EXPECT_EQ(actions[0].title, "Run with wait = yield");
}

TEST(Knobs, WhereThreadsSpinAlreadyTheirNumberIsTriedAlone) {
  auto program = tunable_program();
  program.recipe.entries = {domain::KnobValue{"wait", "spin"}};
  EXPECT_THAT(program.propose(kName)[0].pays_with, IsEmpty());
}

TEST(Knobs, ALargerNeighbourIsExpectedToGainMostAndStepsSayTheOrder) {
  SampleProgram program;
  program.manifest.knobs = {
      knob("chunk", domain::Layer::kFramework, "16", {"64", "8", "16", "32"})};
  const auto actions = program.propose(kName);
  ASSERT_EQ(actions.size(), 3U);  // 64, 8, 32
  EXPECT_EQ(actions[0].step, 2);
  EXPECT_EQ(actions[1].step, -1);
  EXPECT_EQ(actions[2].step, 1);
  const auto speedup = [&](std::size_t i) { return actions[i].prediction.local_speedup; };
  EXPECT_GT(speedup(2), 1.05);
  EXPECT_GT(speedup(2), speedup(1));
  EXPECT_GT(speedup(1), speedup(0));
}

TEST(Knobs, CarryOutTheValueAndRefuseAKnobThatIsGone) {
  auto program = tunable_program();
  const auto action = program.propose(kName)[1];
  const auto change = program.carry_out(action);
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(change->entries, ElementsAre(domain::ChangeEntry(domain::KnobValue{"wait", "spin"})));
  program.manifest.knobs.clear();
  EXPECT_EQ(program.carry_out(action).error().kind, base::ErrorKind::kNotFound);
}

TEST(Knobs, RebuildOnlyForDefines) {
  auto program = tunable_program();
  const auto launched = program.propose(kName).back().prediction.minutes;
  program.manifest.knobs.back().kind = domain::KnobKind::kDefine;
  EXPECT_GT(program.propose(kName).back().prediction.minutes, launched);
}

TEST(Knobs, AreForbiddenOneByOne) {
  auto program = tunable_program();
  program.manifest.goal.forbid = {"knob:wait", "framework.knob"};
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("knob:threads"));
}

}  // namespace
}  // namespace arbor::agents
