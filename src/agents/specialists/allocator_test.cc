// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char* kName = "runtime.allocator";

SampleProgram allocating_program(double share) {
  SampleProgram program;
  program.machine.preloads = {"/usr/lib/libtcmalloc_minimal.so.4", "/usr/lib/libjemalloc.so.2",
                              "/usr/lib/libmimalloc.so.2"};
  program.hotspot("_int_malloc", "", 0, share, "libc.so.6");
  program.hotspot("parse", "src/parse.c", 1, 1 - share);
  return program;
}

TEST(Allocator, ProposesEachAllocatorOfTheMachineWhereAllocationIsHot) {
  EXPECT_THAT(strategies(allocating_program(0.3).propose(kName)),
              UnorderedElementsAre("jemalloc", "mimalloc", "tcmalloc", "glibc-kept-heap"));
}

TEST(Allocator, ProposesOnlyOneWithLittleHopeWhereAllocationIsCold) {
  const auto actions = allocating_program(0.001).propose(kName);
  EXPECT_THAT(strategies(actions), ElementsAre("mimalloc"));
  EXPECT_LT(domain::expected_log_gain(actions[0].prediction), 0.005);
}

TEST(Allocator, CountsPlainFreeButNotEveryNameThatHoldsIt) {
  auto program = allocating_program(0);
  program.hotspot("solve_freely", "src/solve.c", 1, 0.5);
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("mimalloc"));
  program.hotspot("free", "", 0, 0.1, "libc.so.6");
  EXPECT_EQ(program.propose(kName).size(), 4u);
}

TEST(Allocator, ProposesNothingOnceOneIsInUse) {
  auto program = allocating_program(0.3);
  program.recipe.entries = {domain::Preload{"/usr/lib/libmimalloc.so.2"}};
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(Allocator, CarriesOutAPreloadOfTheLibraryThatWasFound) {
  auto program = allocating_program(0.3);
  const auto change = program.carry_out(with_strategy(program.propose(kName), "jemalloc"));
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(change->entries,
              ElementsAre(domain::ChangeEntry(domain::Preload{"/usr/lib/libjemalloc.so.2"})));
}

TEST(Allocator, ObeysAForbiddenLibraryAndAForbiddenCategory) {
  auto program = allocating_program(0.3);
  program.manifest.goal.forbid = {"tcmalloc"};
  EXPECT_EQ(program.propose(kName).size(), 3u);
  program.manifest.goal.forbid = {"runtime.allocator"};
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

}  // namespace
}  // namespace arbor::agents
