// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kName = "compiler.pgo";

SampleProgram interpreter() {
  SampleProgram program;
  program.compile("src/run.c", {"-O2"});
  program.hotspot("step", "src/run.c", 3, 0.5);
  program.hotspot("lookup", "src/run.c", 90, 0.4);
  return program;
}

TEST(Pgo, CarriesOutARecordingThatIsStillToBeMade) {
  const auto program = interpreter();
  const auto change = program.carry_out(with_strategy(program.propose(kName), "pgo"));
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(change->entries, ElementsAre(domain::ChangeEntry(domain::ProfileGuided{})));
}

TEST(Pgo, SaysThatItTrainsOnTheTestAndExpectsLessWithoutATrainingCommand) {
  auto program = interpreter();
  const auto trained = with_strategy(program.propose(kName), "pgo");
  program.has_train = false;
  program.manifest.bench.holdout = "./run other.txt";
  const auto untrained = with_strategy(program.propose(kName), "pgo");
  EXPECT_THAT(untrained.rationale, HasSubstr("trained on the test"));
  EXPECT_THAT(untrained.title, HasSubstr("trained on the test"));
  EXPECT_LT(domain::expected_log_gain(untrained.prediction),
            domain::expected_log_gain(trained.prediction));
}

TEST(Pgo, IsNotTrainedAndJudgedOnOneInputAlone) {
  auto program = interpreter();
  program.has_train = false;
  EXPECT_THAT(program.propose(kName), IsEmpty());
  program.manifest.bench.command = "./run --seed {seed}";
  EXPECT_FALSE(program.propose(kName).empty());
}

TEST(Pgo, ExpectsLessOfAProgramWithOneHotLoop) {
  auto program = interpreter();
  const auto many = with_strategy(program.propose(kName), "pgo");
  program.profile.hotspots.front().share = 0.9;
  const auto one = with_strategy(program.propose(kName), "pgo");
  EXPECT_LT(one.prediction.local_speedup, many.prediction.local_speedup);
}

TEST(Pgo, IsNotProposedTwice) {
  auto program = interpreter();
  program.recipe.entries = {domain::ProfileGuided{"0123"}};
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(Pgo, IsForbiddenByItsCategorysLastWord) {
  auto program = interpreter();
  program.manifest.goal.forbid = {"pgo"};
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

}  // namespace
}  // namespace arbor::agents
