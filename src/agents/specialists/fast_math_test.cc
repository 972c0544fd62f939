// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kName = "compiler.fast-math";

SampleProgram float_program() {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  program.compile("src/parse.c", {"-O2"});
  program.hotspot("dot", "src/dot.c", 3, 0.8);
  program.hotspot("parse", "src/parse.c", 3, 0.1);
  program.sources = {{"src/dot.c", "float dot(const float* a);"}, {"src/parse.c", "int parse;"}};
  return program;
}

TEST(FastMath, ProposesTheWholeItsPartsAndTheHottestFloatSource) {
  const auto actions = float_program().propose(kName);
  EXPECT_THAT(strategies(actions),
              UnorderedElementsAre("math-without-errno", "associative-math", "contract-fast",
                                   "fast-math", "fast-math-file"));
  EXPECT_EQ(with_strategy(actions, "fast-math-file").target, "src/dot.c");
  EXPECT_DOUBLE_EQ(with_strategy(actions, "fast-math").prediction.touched_share, 0.8);
}

TEST(FastMath, DeclaresThatTheWholeCoversItsPartsAndSingleSources) {
  const auto actions = float_program().propose(kName);
  EXPECT_THAT(with_strategy(actions, "fast-math").covers,
              UnorderedElementsAre("math-without-errno", "associative-math", "contract-fast",
                                   "fast-math-file"));
  EXPECT_THAT(with_strategy(actions, "associative-math").covers, IsEmpty());
  for (const auto& action : actions) EXPECT_EQ(action.settles, "fast-math");
}

TEST(FastMath, HasNothingToProposeWhereTheWholeIsOn) {
  auto program = float_program();
  program.commands.clear();
  program.compile("src/dot.c", {"-O2", "-ffast-math"});
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(FastMath, ChangesNoNumberWhereNothingChecksThemWithATolerance) {
  auto program = float_program();
  program.checks_numbers = false;
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("math-without-errno"));
}

TEST(FastMath, IsNotProposedForCodeWithoutFloats) {
  auto program = float_program();
  program.sources["src/dot.c"] = "int dot(const int* floating);";
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(FastMath, NeverReachesALink) {
  auto program = float_program();
  for (const auto& action : program.propose(kName)) {
    const auto change = program.carry_out(action);
    ASSERT_TRUE(change.has_value());
    EXPECT_FALSE(std::get<domain::CompilerFlags>(change->entries.at(0)).reaches_link);
  }
}

TEST(FastMath, KeepsThePerFileFlagToItsFile) {
  auto program = float_program();
  const auto change = program.carry_out(with_strategy(program.propose(kName), "fast-math-file"));
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(std::get<domain::CompilerFlags>(change->entries.at(0)).files,
              ElementsAre("src/dot.c"));
}

TEST(FastMath, IsForbiddenAsAWholeByItsName) {
  auto program = float_program();
  program.manifest.goal.forbid = {"fast-math"};
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(FastMath, ForbiddingOneFlagLeavesThePartsWithoutIt) {
  auto program = float_program();
  program.manifest.goal.forbid = {"-ffast-math"};
  const auto names = strategies(program.propose(kName));
  EXPECT_THAT(names, Contains("associative-math"));
  EXPECT_THAT(names, Not(Contains("fast-math-file")));
  EXPECT_THAT(names, Not(Contains("fast-math")));
}

TEST(FastMath, IsNotProposedForAFileThatHasItAlready) {
  auto program = float_program();
  domain::CompilerFlags kept;
  kept.add = {"-ffast-math"};
  kept.files = {"src/dot.c"};
  program.recipe.entries = {kept};
  EXPECT_THAT(strategies(program.propose(kName)), Not(Contains("fast-math-file")));
}

}  // namespace
}  // namespace arbor::agents
