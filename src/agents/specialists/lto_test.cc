// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kName = "compiler.lto";

TEST(Lto, ReachesTheLink) {
  SampleProgram program;
  program.compile("src/a.c", {"-O2"});
  program.compile("src/b.c", {"-O2"});
  const auto change = program.carry_out(with_strategy(program.propose(kName), "lto"));
  ASSERT_TRUE(change.has_value());
  const auto& flags = std::get<domain::CompilerFlags>(change->entries.at(0));
  EXPECT_TRUE(flags.reaches_link);
  EXPECT_THAT(flags.add, ElementsAre("-flto=auto"));
}

TEST(Lto, IsNotProposedForOneSourceOrWhereItIsOn) {
  SampleProgram program;
  program.compile("src/a.c", {"-O2", "-flto"});
  EXPECT_THAT(program.propose(kName), IsEmpty());
  program.compile("src/b.c", {"-O2", "-flto"});
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

}  // namespace
}  // namespace arbor::agents
