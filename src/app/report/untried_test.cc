// SPDX-License-Identifier: Apache-2.0
#include "app/report/untried.h"

#include <gmock/gmock.h>

#include "app/campaign_fixture.h"
#include "app/report/report.h"

namespace arbor::app {
namespace {
using testing::HasSubstr;
using testing::Not;

class Untried : public CampaignFixture {
 protected:
  void SetUp() override { begin_campaign(); }

  std::string why(const std::string& strategy) const {
    for (const auto& idea : untried_ideas(state_))
      if (idea.action.strategy == strategy) return idea.why;
    return "tried";
  }
};

TEST_F(Untried, IdeasSayWhetherTheyWereForbiddenOrTheirTurnDidNotCome) {
  domain::Constraint constraint;
  constraint.scope.strategy = "mimalloc";
  constraint.reason = "it crashes in the sandbox";
  state_.search->add_constraint(constraint);
  EXPECT_THAT(why("mimalloc"), HasSubstr("it crashes in the sandbox"));
  EXPECT_THAT(why("-O3"), HasSubstr("its turn had not come"));
  ASSERT_TRUE(end_next({}));
  EXPECT_EQ(why(state_.trials.front().start.choice.action.strategy), "tried");
}

TEST_F(Untried, TheReportHoldsThemWithTheSelfTestAndTheNotesOfGuardrails) {
  add(engine::SelfTested{true, "a third of a CPU shows as 0.36×"});
  ASSERT_TRUE(end_next({}));
  add(engine::StageDone{domain::TrialId{1}, "note", "the candidate swings", 0});
  const std::string report = report_markdown(state_, manifest_);
  EXPECT_THAT(report, HasSubstr("## What was not tried"));
  EXPECT_THAT(report, HasSubstr("self-test passed: a third of a CPU shows as 0.36×."));
  EXPECT_THAT(report, HasSubstr("- n1: the candidate swings"));
  EXPECT_THAT(report, HasSubstr("false keeps are to be expected"));
}

TEST(List, OfOneKindAndOfOneThatDoesNotExist) {
  const auto guardrails = say({"list", "guardrails"});
  EXPECT_THAT(guardrails.out, HasSubstr("load-of-others"));
  EXPECT_THAT(guardrails.out, Not(HasSubstr("compiler.pgo")));
  EXPECT_EQ(say({"list", "guardrail"}).out, guardrails.out);
  const auto unknown = say({"list", "guardrial"});
  EXPECT_EQ(unknown.code, kExitUsage);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'guardrails'?"));
}

}  // namespace
}  // namespace arbor::app
