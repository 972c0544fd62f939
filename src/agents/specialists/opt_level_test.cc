// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kName = "compiler.opt-level";

TEST(OptLevel, ProposesO2AndO3WhereNothingIsOptimised) {
  SampleProgram program;
  program.compile("src/dot.c", {"-g"}, "gcc");
  const auto actions = program.propose(kName);
  EXPECT_THAT(strategies(actions), ElementsAre("-O2", "-O3"));
  EXPECT_GT(domain::expected_log_gain(actions[0].prediction), 0.2);
}

TEST(OptLevel, ProposesOnlyO3AfterO2AndNothingAfterO3) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O0", "-O2"});
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("-O3"));
  program.commands[0].final_argv.push_back("-O3");
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(OptLevel, LooksAtTheSourcesThatTheProfileNames) {
  SampleProgram program;
  program.compile("src/tool.c", {"-O0"});
  program.compile("src/dot.c", {"-O3"});
  program.hotspot("dot", "src/dot.c", 3, 0.9);
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(OptLevel, ProposesNothingForAProgramThatWasNotCompiledThroughTheShim) {
  EXPECT_THAT(SampleProgram().propose(kName), IsEmpty());
}

TEST(OptLevel, CarriesOutAFlagOnEveryCompile) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  const auto change = program.carry_out(with_strategy(program.propose(kName), "-O3"));
  ASSERT_TRUE(change.has_value());
  domain::CompilerFlags expected;
  expected.add = {"-O3"};
  EXPECT_THAT(change->entries, ElementsAre(domain::ChangeEntry(expected)));
}

TEST(OptLevel, DropsAssertionsOnlyWhereAHotSourceChecksSome) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O3"});
  program.hotspot("dot", "src/dot.c", 3, 0.9);
  program.sources["src/dot.c"] = "static_assert(1); int asserted;";
  EXPECT_THAT(program.propose(kName), IsEmpty());
  program.sources["src/dot.c"] = "void f(int n) { assert(n > 0); }";
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("-DNDEBUG"));
  program.commands[0].final_argv.push_back("-DNDEBUG");
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(OptLevel, RemovesTheCheckedLibrary) {
  SampleProgram program;
  program.compile("src/dot.cc", {"-O3", "-D_GLIBCXX_DEBUG"});
  const auto action = with_strategy(program.propose(kName), "without -D_GLIBCXX_DEBUG");
  const auto change = program.carry_out(action);
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(std::get<domain::CompilerFlags>(change->entries.at(0)).remove,
              ElementsAre("-D_GLIBCXX_DEBUG", "-D_GLIBCXX_DEBUG=1"));
}

TEST(OptLevel, ObeysTheGoalsForbiddenFlags) {
  SampleProgram program;
  program.compile("src/dot.c", {"-O2"});
  program.manifest.goal.forbid = {"O3"};
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

}  // namespace
}  // namespace arbor::agents
