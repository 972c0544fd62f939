// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kName = "compiler.choice";

SampleProgram program_of(const std::string& tool) {
  SampleProgram program;
  program.compile("src/a.cc", {"-O2"}, tool);
  program.machine.compilers = {"gcc 12.2.0", "clang-19", "clang-14 14.0.6"};
  return program;
}

TEST(CompilerChoice, ProposesTheOtherFamilyButNotTheSameCompilerAgain) {
  EXPECT_THAT(strategies(program_of("c++").propose(kName)), ElementsAre("clang-14", "clang-19"));
  EXPECT_THAT(strategies(program_of("clang++-19").propose(kName)), ElementsAre("clang-14", "gcc"));
}

TEST(CompilerChoice, ChangesTheCAndTheCppCompilerTogether) {
  const auto program = program_of("g++");
  const auto change = program.carry_out(with_strategy(program.propose(kName), "clang-19"));
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(change->entries,
              ElementsAre(domain::ChangeEntry(domain::CompilerChoice{"clang-19", "clang++-19"})));
}

TEST(CompilerChoice, LeavesCrossCompilersAlone) {
  EXPECT_THAT(program_of("aarch64-linux-gnu-gcc").propose(kName), IsEmpty());
}

TEST(CompilerChoice, StartsFromTheCompilerThatTheRecipeChose) {
  auto program = program_of("g++");
  program.recipe.entries = {domain::CompilerChoice{"clang-19", "clang++-19"}};
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("clang-14", "gcc"));
}

}  // namespace
}  // namespace arbor::agents
