// SPDX-License-Identifier: Apache-2.0
#include "search/constraints.h"

#include <gtest/gtest.h>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

const auto kEverywhere = [](domain::NodeId) { return true; };

domain::Constraint forbid(const domain::ConstraintScope& scope) {
  domain::Constraint made;
  made.scope = scope;
  made.reason = "because";
  return made;
}

bool forbids(const domain::Constraint& constraint, const domain::Action& action) {
  Constraints constraints;
  constraints.add(constraint, 0);
  return constraints.rule_on(action, kEverywhere).forbidden_by.has_value();
}

TEST(Constraints, EveryFilledFieldOfTheScopeMustMatch) {
  domain::ConstraintScope scope;
  scope.category = "kernel.loop";
  scope.target = "dot";
  EXPECT_TRUE(forbids(forbid(scope), toy::action({"kernel.loop", "tile", "dot"})));
  EXPECT_FALSE(forbids(forbid(scope), toy::action({"kernel.loop", "tile", "norm"})));
  EXPECT_FALSE(forbids(forbid(scope), toy::action({"compiler.flags", "tile", "dot"})));
}

TEST(Constraints, ACategoryCoversEverythingBelowIt) {
  domain::ConstraintScope scope;
  scope.category = "kernel";
  EXPECT_TRUE(forbids(forbid(scope), toy::action({"kernel.loop", "tile", "dot"})));
  EXPECT_FALSE(forbids(forbid(scope), toy::action({"kernels", "tile", "dot"})));
}

TEST(Constraints, AFlagIsFoundInStrategyAndParametersAsAWholeWord) {
  domain::ConstraintScope scope;
  scope.flag = "-ffast-math";
  EXPECT_TRUE(forbids(forbid(scope), toy::action({"c", "fast-math", ""})));
  EXPECT_TRUE(forbids(forbid(scope), toy::action({"c", "-ffast-math", ""})));
  auto listed = toy::action({"c", "group", ""});
  listed.parameters = R"({"flags":["-O3","-ffast-math"]})";
  EXPECT_TRUE(forbids(forbid(scope), listed));
  listed.parameters = R"({"flags":["-O3","-ffast-mathematics"]})";
  EXPECT_FALSE(forbids(forbid(scope), listed));
  scope.flag = "-march";
  EXPECT_TRUE(forbids(forbid(scope), toy::action({"c", "-march=native", ""})));
}

TEST(Constraints, ACapForbidsOnlyLargerValuesOfItsKnob) {
  domain::Constraint cap;
  cap.scope.knob = "threads";
  cap.effect = domain::ConstraintEffect::kCap;
  cap.value = "4";
  EXPECT_TRUE(forbids(cap, toy::action({"c", "threads=8", "knob:threads"})));
  EXPECT_FALSE(forbids(cap, toy::action({"c", "threads=4", "knob:threads"})));
  auto by_parameter = toy::action({"c", "knob", "knob:threads"});
  by_parameter.parameters = R"({"value":"16"})";
  EXPECT_TRUE(forbids(cap, by_parameter));
}

TEST(Constraints, PenaltiesMultiplyAndASuccessLiftsThem) {
  domain::Constraint penalty;
  penalty.scope.category = "kernel.loop";
  penalty.effect = domain::ConstraintEffect::kPenalise;
  penalty.weight = 0.5;
  Constraints constraints;
  constraints.add(penalty, 0);
  const auto tile = toy::action({"kernel.loop", "tile", "dot"});
  EXPECT_DOUBLE_EQ(constraints.rule_on(tile, kEverywhere).weight, 0.5);
  constraints.lift_penalties(tile, kEverywhere);
  EXPECT_DOUBLE_EQ(constraints.rule_on(tile, kEverywhere).weight, 1);
  ASSERT_EQ(constraints.lapsed().size(), 1U);
}

TEST(Constraints, ASubtreeBindsOnlyBelowItsNode) {
  domain::ConstraintScope scope;
  scope.subtree = {5};
  Constraints constraints;
  constraints.add(forbid(scope), 0);
  const auto tile = toy::action({"kernel.loop", "tile", "dot"});
  EXPECT_TRUE(constraints.rule_on(tile, kEverywhere).forbidden_by);
  EXPECT_FALSE(constraints.rule_on(tile, [](domain::NodeId) { return false; }).forbidden_by);
}

TEST(Constraints, OneRuleStatedTwiceAddsItsEvidence) {
  domain::ConstraintScope scope;
  scope.flag = "-flto";
  auto rule = forbid(scope);
  rule.evidence = {{3}};
  Constraints constraints;
  constraints.add(rule, 0);
  rule.evidence = {{3}, {7}};
  constraints.add(rule, 0);
  ASSERT_EQ(constraints.in_force().size(), 1U);
  EXPECT_EQ(constraints.in_force()[0].evidence, (std::vector<domain::TrialId>{{3}, {7}}));
  EXPECT_EQ(constraints.in_force()[0].id, domain::ConstraintId{1});
}

TEST(Constraints, LapseOnTheirEventAndNoOther) {
  domain::ConstraintScope scope;
  scope.flag = "-flto";
  auto rule = forbid(scope);
  rule.lapses = domain::Lapse::kProfileShift;
  Constraints constraints;
  constraints.add(rule, 0);
  constraints.lapse(domain::Lapse::kToolchainChange);
  EXPECT_EQ(constraints.in_force().size(), 1U);
  constraints.lapse(domain::Lapse::kProfileShift);
  EXPECT_TRUE(constraints.in_force().empty());
}

TEST(Constraints, ARetryBudgetLapsesAfterFiveFurtherTrials) {
  domain::ConstraintScope scope;
  scope.flag = "-flto";
  auto rule = forbid(scope);
  rule.lapses = domain::Lapse::kRetryBudget;
  Constraints constraints;
  constraints.add(rule, 10);
  constraints.lapse_old(14);
  EXPECT_EQ(constraints.in_force().size(), 1U);
  constraints.lapse_old(15);
  EXPECT_TRUE(constraints.in_force().empty());
}

}  // namespace
}  // namespace arbor::search
