// SPDX-License-Identifier: Apache-2.0
#include "measure/launch_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace arbor::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

domain::BenchSection throughput_bench() {
  domain::BenchSection bench;
  bench.metric = {"rate", "json", "", "/rate", domain::Goal::kMaximise, 0};
  bench.guards = {{"p99", "json", "out.json", "/p99", domain::Goal::kMinimise, 0.1}};
  return bench;
}

ports::LaunchOutcome outcome_of(double rate) {
  ports::LaunchOutcome outcome;
  outcome.wall_ns = 1'000'000'000;
  outcome.standard_output = "{\"rate\": " + std::to_string(rate) + "}";
  outcome.collected["out.json"] = "{\"p99\": 3}";
  return outcome;
}

TEST(LaunchRecord, ReadsMetricAndGuards) {
  const auto launch = launch_of(outcome_of(50), throughput_bench());
  EXPECT_EQ(launch.metric, 50);
  EXPECT_THAT(launch.guards, ElementsAre(std::optional<double>(3)));
  EXPECT_EQ(launch.failure, "");
}

TEST(LaunchRecord, TrustsNothingThatABrokenOffLaunchPrinted) {
  auto cut = outcome_of(50);
  cut.is_timeout = true;
  EXPECT_FALSE(launch_of(cut, throughput_bench()).metric);
  EXPECT_TRUE(launch_of(cut, throughput_bench()).is_cut);
  auto killed = outcome_of(50);
  killed.exit_code = 139;
  EXPECT_THAT(launch_of(killed, throughput_bench()).failure, HasSubstr("signal 11"));
  auto absent = outcome_of(50);
  absent.exit_code = 127;
  EXPECT_THAT(launch_of(absent, throughput_bench()).failure, HasSubstr("not found"));
  auto hungry = outcome_of(50);
  hungry.is_out_of_memory = true;
  EXPECT_THAT(launch_of(hungry, throughput_bench()).failure, HasSubstr("memory limit"));
  auto filling = outcome_of(50);
  filling.is_out_of_disk = true;
  EXPECT_THAT(launch_of(filling, throughput_bench()).failure, HasSubstr("filling the disk"));
}

TEST(LaunchRecord, CountsAMetricOfZeroAsMissing) {
  const auto launch = launch_of(outcome_of(0), throughput_bench());
  EXPECT_FALSE(launch.metric);
  EXPECT_THAT(launch.failure, HasSubstr("rate is 0"));
}

TEST(LaunchRecord, KeepsTheMetricWhenOnlyAGuardIsMissing) {
  auto outcome = outcome_of(50);
  outcome.collected.clear();
  const auto launch = launch_of(outcome, throughput_bench());
  EXPECT_EQ(launch.metric, 50);
  EXPECT_THAT(launch.guards, ElementsAre(std::nullopt));
}

TEST(LaunchRecord, TakesNoFigureThatTheCandidateAddedToTheTrunks) {
  ports::PairAnswer answer;
  answer.trunk = outcome_of(50);
  answer.candidate = outcome_of(50);
  answer.candidate.standard_output += "\n{\"rate\": 150}";
  EXPECT_EQ(pair_of({}, throughput_bench(), answer).candidate.metric, 150) << "nothing is known";
  PairRecordOptions options;
  options.figures = 1;
  const auto pair = pair_of({}, throughput_bench(), answer, options);
  EXPECT_FALSE(pair.x);
  EXPECT_THAT(pair.candidate.failure, HasSubstr("in 2 places, the trunk always in 1"));
  answer.trunk.standard_output += "\n{\"rate\": 50}";
  EXPECT_TRUE(pair_of({}, throughput_bench(), answer, options).x) << "the trunk does it as well";
  options.figures = 2;
  answer.candidate.standard_output += "\n{\"rate\": 150}";
  EXPECT_FALSE(pair_of({}, throughput_bench(), answer, options).x) << "one more running figure";
  answer.candidate.standard_output = outcome_of(50).standard_output;
  answer.candidate.collected["out.json"] = "{\"p99\": 3, \"p99\": 1}";
  EXPECT_THAT(pair_of({}, throughput_bench(), answer).candidate.guards, ElementsAre(std::nullopt));
}

TEST(LaunchRecord, TakesTheLastOfTheRunningFiguresThatBothPrint) {
  ports::PairAnswer answer;
  answer.trunk = answer.candidate = outcome_of(50);
  answer.trunk.standard_output += "\n" + outcome_of(60).standard_output;
  answer.candidate.standard_output += "\n{\"rate\": 70}\n{\"rate\": 80}";
  EXPECT_NEAR(*pair_of({}, throughput_bench(), answer).x, std::log(80.0 / 60.0), 1e-12);
}

TEST(LaunchRecord, GivesXTheGoalsSign) {
  ports::PairAnswer answer;
  answer.trunk = outcome_of(50);
  answer.candidate = outcome_of(100);
  auto bench = throughput_bench();
  EXPECT_NEAR(*pair_of({}, bench, answer).x, std::log(2.0), 1e-12);
  bench.metric.goal = domain::Goal::kMinimise;
  EXPECT_NEAR(*pair_of({}, bench, answer).x, -std::log(2.0), 1e-12);
}

TEST(LaunchRecord, VoidsAPairThatOthersDisturbedUnlessThatGuardrailIsOff) {
  ports::PairAnswer answer;
  answer.trunk = answer.candidate = outcome_of(50);
  answer.load_of_others = 0.8;
  EXPECT_THAT(pair_of({}, throughput_bench(), answer).void_reason, HasSubstr("0.8 CPUs"));
  EXPECT_EQ(pair_of({}, throughput_bench(), answer, {64, {}}).void_reason, "");
  const std::vector<std::string> without = {"load-of-others"};
  EXPECT_EQ(pair_of({}, throughput_bench(), answer, {2, without}).void_reason, "");
}

TEST(LaunchRecord, NamesTheFilesItsReadersNeed) {
  EXPECT_THAT(files_to_collect(throughput_bench()), ElementsAre("out.json"));
}

}  // namespace
}  // namespace arbor::measure
