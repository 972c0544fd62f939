// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kName = "runtime.threads";

std::vector<std::string> titles(const std::vector<domain::Action>& actions) {
  std::vector<std::string> found;
  for (const auto& action : actions) found.push_back(action.title);
  return found;
}

SampleProgram parallel_program() {
  SampleProgram program;
  program.compile("src/a.c", {"-O2", "-fopenmp"});
  return program;
}

TEST(Threads, AreAsManyAsThereAreIdleCores) {
  const auto actions = parallel_program().propose(kName);
  EXPECT_THAT(titles(actions), Contains("Run with OMP_NUM_THREADS=6"));
  EXPECT_THAT(titles(actions), Not(Contains("Run with OMP_NUM_THREADS=8")));
}

TEST(Threads, AsManyAsCoresAreWhatRunsAnyway) {
  auto program = parallel_program();
  program.machine.idle_cpus = program.machine.cpus;
  EXPECT_THAT(titles(program.propose(kName)), Not(Contains("Run with OMP_NUM_THREADS=8")));
}

TEST(Threads, AreLeftAloneWithoutIdleCores) {
  auto program = parallel_program();
  program.machine.idle_cpus = 1;
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(Threads, AreLeftAloneWhereOnlySimdOfOpenMpIsUsed) {
  SampleProgram program;
  program.compile("src/a.c", {"-O2", "-fopenmp-simd"});
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(Threads, AreFoundByTheLibraryInTheProfile) {
  SampleProgram program;
  program.hotspot("gomp_team_barrier_wait_end", "", 0, 0.3, "libgomp.so.1.0.0");
  EXPECT_FALSE(program.propose(kName).empty());
}

TEST(Threads, AreSetByAnEnvironmentVariableAndNotProposedAgain) {
  auto program = parallel_program();
  const auto action = with_strategy(program.propose(kName), "omp-wait-active");
  const auto change = program.carry_out(action);
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(
      change->entries,
      ElementsAre(domain::ChangeEntry(domain::EnvironmentVariable{"OMP_WAIT_POLICY", "active"})));
  program.recipe.entries = change->entries;
  EXPECT_THAT(strategies(program.propose(kName)), Not(Contains("omp-wait-active")));
}

}  // namespace
}  // namespace arbor::agents
