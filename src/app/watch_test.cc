// SPDX-License-Identifier: Apache-2.0
#include "app/watch.h"

#include <gmock/gmock.h>

#include "app/campaign_fixture.h"
#include "app/report/report.h"
#include "ports/clock/fake.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Watch : public CampaignFixture {
 protected:
  template <typename Talk>
  std::string said(bool is_interactive, const Talk& talk) {
    Terminal::Setup setup;
    setup.is_interactive = is_interactive;
    setup.width = 120;
    testing::internal::CaptureStderr();
    {
      Terminal terminal(setup);
      Narration narration(terminal, clock_, {900, 0});
      talk(narration);
    }
    return testing::internal::GetCapturedStderr();
  }
  // The first trial as it begins, of a campaign whose next step is that.
  engine::TrialStarted start() {
    const engine::TrialStarted started{domain::TrialId{1}, domain::NodeId{1},
                                       *state_.search->ask()};
    add(started);
    return started;
  }

  ports::FakeClock clock_;
};

TEST_F(Watch, APipeHearsOfEachStartAndThenOfATrialThatTakesLong) {
  begin_campaign();
  const auto started = start();
  const std::string text = said(false, [&](Narration& narration) {
    narration.phase("calibrating the noise, pair 1 of 20");
    narration.phase("calibrating the noise, pair 2 of 20");
    clock_.advance_ms(5000);
    narration.record(started, state_);
    narration.phase("building");
    clock_.advance_ms(30'000);
    narration.phase("pair 1");
    clock_.advance_ms(31'000);
    narration.phase("pair 2  so far 1.100× [1.000, 1.200]");
  });
  EXPECT_EQ(text,
            "   0.0 s  calibrating the noise, pair 1 of 20\n"
            "   5.0 s  trying       n1   Vectorise the sum in sum_rows()\n"
            "  1m 06s  still trying n1   pair 2  so far 1.100× [1.000, 1.200]\n");
}

TEST_F(Watch, ATerminalShowsTimeLeftTheEstimateAndWhatIsExpected) {
  begin_campaign();
  const auto started = start();
  const std::string text = said(true, [&](Narration& narration) {
    narration.record(started, state_);
    clock_.advance_ms(20'000);
    narration.phase("pair 2  so far 1.100× [1.000, 1.200]");
    clock_.advance_ms(1000);
    narration.redraw();
  });
  EXPECT_THAT(text, Not(HasSubstr("\n")));
  EXPECT_THAT(text,
              AllOf(HasSubstr("20.0 s, 14m 40s left  n1 Vectorise the sum in sum_rows(): pair 2  "
                              "so far 1.100× [1.000, 1.200]  ends in about 40.0 s"),
                    HasSubstr("21.0 s, 14m 39s left"), HasSubstr("ends in about 39.0 s")));
}

TEST_F(Watch, ATerminalNamesTheLastVerdictAndTheBestAndIsSilentAfterTheEnd) {
  begin_campaign();
  ASSERT_TRUE(end_next({{"loop", source_change("1", "2")}}));
  const std::string text = said(true, [&](Narration& narration) {
    narration.record(*state_.trials.front().end, state_);
    narration.phase("profiling");
    narration.record(engine::CampaignStopped{"goal", "", 12}, state_);
    narration.redraw();
  });
  EXPECT_THAT(text, HasSubstr("profiling  best 1.21×  last kept n1"));
  EXPECT_THAT(text, EndsWith("ended: goal\n"));
}

TEST_F(Watch, TheTitleGivesWayToTheFiguresOnANarrowTerminal) {
  Progress progress;
  progress.node = "n3";
  progress.title = "Together: threads = 2 + wait = spin + -O3 for every file";
  progress.phase = "pair 6  so far 1.051× [1.012, 1.092]";
  progress.budget_s = 900;
  const std::string line = progress_line(progress, 130, 80);
  EXPECT_EQ(line,
            "2m 10s, 12m 50s left  n3 Together: threa…: pair 6  so far 1.051× [1.012, 1.092]");
}

TEST_F(Watch, AStoryLinePrintsItsFiguresOnce) {
  begin_campaign();
  ASSERT_TRUE(end_next({{"loop", source_change("1", "2")}}));
  engine::Trial trial = std::move(state_.trials.front());
  trial.end->verdict.detail = "1.21× [1.19, 1.23] over 6+6 pairs, noise 1.2 %";
  EXPECT_EQ(story_line(trial),
            "kept         n1   Vectorise the sum in sum_rows()  1.21× [1.19, 1.23] over 6+6 pairs, "
            "noise 1.2 %");
  trial.end->verdict.kind = domain::VerdictKind::kReverted;
  trial.end->verdict.detail = "slower: " + trial.end->verdict.detail;
  EXPECT_THAT(story_line(trial), EndsWith("  slower: 1.21× [1.19, 1.23] over 6+6 pairs, noise "
                                          "1.2 %"));
  trial.end->verdict.detail = "the Critic objects";
  EXPECT_THAT(story_line(trial), EndsWith("  1.21× [1.19, 1.23]  the Critic objects"));
}

}  // namespace
}  // namespace arbor::app
