// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kName = "compiler.target-isa";

TEST(TargetIsa, ProposesTheMachinesOwnInstructionSetByDefault) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  const auto action = with_strategy(program.propose(kName), "-march=native");
  EXPECT_THAT(action.enabled_by, Contains("compiler.fast-math"));
  EXPECT_THAT(action.enabled_by, Contains("omp-simd-reduction"));
}

TEST(TargetIsa, ProposesTheCpuOfTheGoalAndNeverNativeThen) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  program.manifest.goal.target_cpu = "x86-64-v3";
  const auto actions = program.propose(kName);
  EXPECT_THAT(strategies(actions), Contains("-march=x86-64-v3"));
  for (const auto& action : actions) EXPECT_FALSE(action.parameters.contains("native"));
}

TEST(TargetIsa, IsNotProposedAgainOnceTheRecipeHasIt) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  domain::CompilerFlags kept;
  kept.add = {"-march=native"};
  program.recipe.entries = {kept};
  EXPECT_THAT(strategies(program.propose(kName)), Not(Contains("-march=native")));
}

TEST(TargetIsa, ProposesVectorWidthsOnlyOnceTheInstructionSetIsOnAndAsAlternatives) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("-march=native"));
  program.commands.clear();
  program.compile("src/dot.c", {"-O2", "-march=native"});
  const auto actions = program.propose(kName);
#if defined(__x86_64__)
  EXPECT_THAT(strategies(actions),
              ElementsAre("-mprefer-vector-width=256", "-mprefer-vector-width=512"));
#endif
  for (const auto& action : actions) {
    EXPECT_EQ(action.settles, "vector-width");
    EXPECT_LT(domain::expected_log_gain(action.prediction), 0.03);
  }
}

TEST(TargetIsa, PromisesMoreOnceSumsMayBeVectorised) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  const auto alone = program.propose(kName).at(0).prediction.local_speedup;
  domain::CompilerFlags kept;
  kept.add = {"-fopenmp-simd"};
  kept.files = {"src/dot.c"};
  program.recipe.entries = {kept};
  EXPECT_GT(program.propose(kName).at(0).prediction.local_speedup, alone + 0.2);
}

TEST(TargetIsa, TouchesOnlyTheProgramsOwnShare) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  program.hotspot("dot", "src/dot.c", 3, 0.25);
  program.hotspot("inflate", "", 0, 0.75, "libz.so.1");
  const auto action = with_strategy(program.propose(kName), "-march=native");
  EXPECT_DOUBLE_EQ(action.prediction.touched_share, 0.25);
}

TEST(TargetIsa, IsNotProposedWhereNothingWasCompiled) {
  EXPECT_THAT(SampleProgram().propose(kName), IsEmpty());
}

}  // namespace
}  // namespace arbor::agents
