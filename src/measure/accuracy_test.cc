// SPDX-License-Identifier: Apache-2.0
#include "measure/accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/output_comparison.h"
#include "measure/output_mutations.h"

namespace arbor::measure {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string difference(std::string_view golden, std::string_view seen, double rtol,
                       double atol = 0) {
  return first_difference(golden, seen, {"out", rtol, atol}).value_or("");
}

TEST(OutputComparison, AcceptsNumbersWithinTheToleranceAndNamesTheFirstBeyondIt) {
  EXPECT_EQ(difference("x=1.000, 200\n", "x=1.0005,  200.1\n", 1e-3), "");
  const auto message = difference("a 1.0\nb 2.0\n", "a 1.0\nb 2.5\n", 1e-3);
  EXPECT_THAT(message, HasSubstr("piece 4 (line 2)"));
  EXPECT_THAT(message, HasSubstr("golden 2.0, seen 2.5, off by 0.5 where 0.002 is allowed"));
}

TEST(OutputComparison, TakesWholeNumbersForCountsWhereTheRuleSaysSo) {
  const domain::OutputRule rule = {"out", 1e-3, 0, true};
  EXPECT_THAT(*first_difference("total 12000000 in 1.0 s", "total 12000001 in 1.0 s", rule),
              HasSubstr("golden \"12000000\", seen \"12000001\": whole numbers must be equal"));
  EXPECT_TRUE(first_difference("id 17058176258199577306", "id 17058176258199577307", rule));
  EXPECT_TRUE(first_difference("-5", "5", rule));
  EXPECT_FALSE(first_difference("total 12 in 1.0 s", "total 12 in 1.0004 s", rule));
  EXPECT_FALSE(first_difference("1e6 - +", "1000001 - +", rule)) << "an exponent is a measure's";
  EXPECT_EQ(difference("12000000", "12000001", 1e-3), "");
}

TEST(OutputComparison, LetsNaNPassOnlyWhereTheGoldenHasOne) {
  EXPECT_NE(difference("1.0 2.0", "nan 2.0", 1e9, 1e9), "");
  EXPECT_NE(difference("1.0 2.0", "-nan 2.0", 0.1), "");
  EXPECT_EQ(difference("nan 2.0", "nan 2.0", 0.1), "");
  EXPECT_EQ(difference("-nan 2.0", "NaN 2.0", 0.1), "");
  EXPECT_NE(difference("nan 2.0", "1.0 2.0", 0.1), "");
}

TEST(OutputComparison, ComparesInfinitiesBySign) {
  EXPECT_EQ(difference("inf", "inf", 0.1), "");
  EXPECT_NE(difference("inf", "-inf", 0.1), "");
  EXPECT_NE(difference("1.0", "inf", 0.1, 1e300), "");
  EXPECT_NE(difference("inf", "1e308", 0.1), "");
}

TEST(OutputComparison, DemandsEqualTextAndEquallyManyPieces) {
  EXPECT_THAT(difference("ok 1", "bad 1", 0.5), HasSubstr("golden \"ok\", seen \"bad\""));
  EXPECT_THAT(difference("1 2 3", "1 2", 0.5), HasSubstr("ends before piece 3"));
  EXPECT_THAT(difference("1 2", "1 2 3", 0.5), HasSubstr("one too many"));
  EXPECT_NE(difference("1 2", "", 0.5), "");
  EXPECT_NE(difference("1 2", "1 two", 0.5), "");
}

TEST(OutputComparison, ComparesBytesWhereThereIsNoTolerance) {
  EXPECT_EQ(difference("1.0\n", "1.0\n", 0), "");
  EXPECT_THAT(difference("a\n1.0\n", "a\n1.00\n", 0), HasSubstr("byte 5 (line 2)"));
  EXPECT_THAT(difference("ab", "a", 0), HasSubstr("seen the end of the file"));
  EXPECT_NE(difference("0", "-0", 0), "");
  EXPECT_EQ(difference("0", "-0", 1e-9), "");
}

TEST(OutputMutations, AreAllCaughtByASoundRule) {
  const std::string golden = "energy: 1.25 2.5 -3.75\nsteps: 100\n";
  const std::vector<std::string> inputs = {"100 steps of something\n"};
  for (const auto& rule : {domain::OutputRule{"out", 1e-3, 0}, domain::OutputRule{"out", 0, 1e-6},
                           domain::OutputRule{"out", 0, 0}})
    EXPECT_THAT(mutations_let_through(golden, rule, inputs), IsEmpty());
  EXPECT_EQ(mutations_of(golden, {"out", 1e-3, 0}, inputs).size(), 8U);
}

TEST(OutputMutations, TellWhichOnesALooseToleranceLetsThrough) {
  EXPECT_THAT(mutations_let_through("0.001 0.002 0.0015\n", {"out", 0, 0.01}),
              ElementsAre("zeros", "mean", "permuted"));
}

TEST(OutputMutations, SeeThatAConstantGoldenProvesLittle) {
  EXPECT_THAT(mutations_let_through("0 0 0\n", {"out", 1e-3, 0}), Contains("zeros"));
  EXPECT_THAT(mutations_let_through("7\n", {"out", 1e-3, 0}), IsEmpty())
      << "one number has no mean or order of its own";
}

ports::LaunchOutcome outcome_of(std::string text, int exit_code = 0) {
  ports::LaunchOutcome outcome;
  outcome.exit_code = exit_code;
  outcome.collected["out.txt"] = std::move(text);
  return outcome;
}

domain::CheckSection output_check() {
  domain::CheckSection check;
  check.outputs = {{"out.txt", 1e-3, 0}};
  return check;
}

TEST(Check, PassesACandidateWhoseOutputsAgree) {
  const auto reference = check_reference(output_check(), outcome_of("1 2"));
  ASSERT_TRUE(reference);
  EXPECT_TRUE(judge_check(output_check(), *reference, outcome_of("1.0001 2")).is_passed);
  const auto answer = judge_check(output_check(), *reference, outcome_of("1.1 2"));
  EXPECT_FALSE(answer.is_passed);
  EXPECT_FALSE(answer.is_crash);
  EXPECT_THAT(answer.detail, HasSubstr("out.txt: piece 1"));
}

TEST(Check, FailsACandidateThatWritesNothingAndExitsWithZero) {
  const auto reference = check_reference(output_check(), outcome_of("1 2"));
  EXPECT_THAT(judge_check(output_check(), *reference, {}).detail, HasSubstr("was not written"));
  EXPECT_FALSE(judge_check(output_check(), *reference, outcome_of("")).is_passed);
}

TEST(Check, ComparesExitCodesWithTheBaselines) {
  const auto reference = check_reference(output_check(), outcome_of("1 2", 1));
  ASSERT_TRUE(reference) << "exits with 1 by habit, but its output can be compared";
  EXPECT_TRUE(judge_check(output_check(), *reference, outcome_of("1 2", 1)).is_passed);
  EXPECT_FALSE(judge_check(output_check(), *reference, outcome_of("1 2", 0)).is_passed);
  const auto killed = judge_check(output_check(), *reference, outcome_of("1 2", 139));
  EXPECT_TRUE(killed.is_crash);
  EXPECT_THAT(killed.detail, HasSubstr("signal 11"));
}

TEST(Check, FailsWhatTimedOutEvenWithARightOutput) {
  const auto reference = check_reference(output_check(), outcome_of("1 2"));
  auto late = outcome_of("1 2");
  late.is_timeout = true;
  EXPECT_FALSE(judge_check(output_check(), *reference, late).is_passed);
}

TEST(Check, FailsWhatFilledTheDiskEvenWithARightOutput) {
  const auto reference = check_reference(output_check(), outcome_of("1 2"));
  auto filling = outcome_of("1 2");
  filling.is_out_of_disk = true;
  EXPECT_THAT(judge_check(output_check(), *reference, filling).detail, HasSubstr("the disk"));
  EXPECT_FALSE(check_reference(output_check(), filling));
}

TEST(Check, RefusesABaselineThatProvesNothing) {
  EXPECT_THAT(check_reference(output_check(), outcome_of(" \n")).error().message,
              HasSubstr("is empty"));
  EXPECT_THAT(check_reference(output_check(), {}).error().message, HasSubstr("was not written"));
  EXPECT_THAT(check_reference({}, outcome_of("", 1)).error().message, HasSubstr("exited with 1"));
  EXPECT_THAT(check_reference({}, outcome_of("", 134)).error().message, HasSubstr("signal 6"));
  auto check = output_check();
  check.outputs[0].rtol = -1;
  EXPECT_FALSE(check_reference(check, outcome_of("1")));
}

TEST(Check, ComparesStandardOutputUnderTheNameDash) {
  domain::CheckSection check;
  check.outputs = {{"-", 0, 0}};
  ports::LaunchOutcome outcome;
  outcome.standard_output = "sum 5\n";
  const auto reference = check_reference(check, outcome);
  ASSERT_TRUE(reference);
  EXPECT_TRUE(judge_check(check, *reference, outcome).is_passed);
  outcome.is_truncated = true;
  EXPECT_FALSE(judge_check(check, *reference, outcome).is_passed);
  EXPECT_THAT(files_to_collect(check), IsEmpty());
}

domain::ScoreRule accuracy_rule(domain::Goal goal) {
  domain::ScoreRule rule;
  rule.metric = {"accuracy", "json", "", "/acc", goal, 0};
  return rule;
}

TEST(Score, IsHeldToFloorAndDropInTheGoalsDirection) {
  auto rule = accuracy_rule(domain::Goal::kMaximise);
  rule.floor = 0.9;
  rule.drop_max = 0.01;
  EXPECT_FALSE(score_objection(rule, 0.95, 0.945));
  EXPECT_THAT(*score_objection(rule, 0.95, 0.93), HasSubstr("loss of 0.02 where 0.01"));
  EXPECT_THAT(*score_objection(rule, 0.902, 0.899), HasSubstr("least allowed"));
  rule.metric.goal = domain::Goal::kMinimise;
  rule.floor = 1.0;
  EXPECT_FALSE(score_objection(rule, 0.95, 0.955));
  EXPECT_TRUE(score_objection(rule, 0.95, 0.97));
  EXPECT_THAT(*score_objection(rule, 0.999, 1.005), HasSubstr("most allowed"));
}

TEST(Score, MayNotDropAtAllWhereNothingIsAllowed) {
  const auto rule = accuracy_rule(domain::Goal::kMaximise);
  EXPECT_FALSE(score_objection(rule, 0.95, 0.95));
  EXPECT_TRUE(score_objection(rule, 0.95, 0.9499));
}

TEST(Score, FailsClosed) {
  domain::CheckSection check;
  check.score = accuracy_rule(domain::Goal::kMaximise);
  check.score->floor = 0.5;
  ports::LaunchOutcome outcome;
  EXPECT_FALSE(check_reference(check, outcome)) << "no score";
  outcome.standard_output = "{\"acc\": 0.4}";
  EXPECT_THAT(check_reference(check, outcome).error().message, HasSubstr("least allowed"));
  outcome.standard_output = "{\"acc\": 0.8}";
  const auto reference = check_reference(check, outcome);
  ASSERT_TRUE(reference);
  EXPECT_TRUE(judge_check(check, *reference, outcome).is_passed);
  outcome.standard_output = "{\"acc\": 0.7}\n{\"acc\": 0.8}";
  EXPECT_THAT(judge_check(check, *reference, outcome).detail, HasSubstr("in 2 places"));
  CheckReference running = *reference;
  running.score_figures.reset();
  EXPECT_TRUE(judge_check(check, running, outcome).is_passed);
  outcome.standard_output = "{\"acc\": null}";
  EXPECT_FALSE(judge_check(check, *reference, outcome).is_passed);
  EXPECT_FALSE(judge_check(check, CheckReference{}, outcome).is_passed);
}

}  // namespace
}  // namespace arbor::measure
