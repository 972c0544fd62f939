// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign_state.h"

#include <gtest/gtest.h>

namespace arbor::engine {
namespace {

domain::Action idea(const std::string& strategy, double gain) {
  domain::Action action;
  action.category = "compiler.flags";
  action.strategy = strategy;
  action.title = strategy;
  action.prediction.local_speedup = gain;
  action.prediction.upper_speedup = 2 * gain;
  return action;
}

// A journal as a controller would write it, up to the first choice of the search.
class Journal {
 public:
  Journal() {
    CampaignStarted started;
    started.commit = "c0";
    add(started);
    add(Calibrated{{20, 0.05, 0, 0, 0.04, 1'000'000}, {0.0, 0.01, -0.01}});
    add(Profiled{
        domain::NodeId{0}, {"perf", 900, {{"dot", "server", "dot.cc", 3, 0.8, 0.8}}, ""}, 0});
    add(Proposed{domain::NodeId{0}, {idea("-O3", 1.5), idea("-O2", 1.2)}});
  }

  void add(const Record& record) {
    auto event = encode(record, 1000 + static_cast<std::int64_t>(events_.size()));
    event.sequence = static_cast<std::int64_t>(events_.size()) + 1;
    events_.push_back(event);
  }

  // As the controller does: asks the search of the state so far and journals what it chose.
  TrialStarted choose() {
    const auto state = folded();
    const auto choice = state->search->ask();
    EXPECT_TRUE(choice.has_value());
    const TrialStarted started{
        domain::TrialId{static_cast<std::int64_t>(state->trials.size()) + 1},
        domain::NodeId{static_cast<std::int64_t>(state->search->nodes().size())}, *choice};
    add(started);
    return started;
  }

  base::Result<CampaignState> folded() const { return fold(events_, {}); }
  std::vector<ports::Event>& events() { return events_; }

 private:
  std::vector<ports::Event> events_;
};

TrialEnded ended(const TrialStarted& started, domain::VerdictKind kind) {
  TrialEnded end;
  end.trial = started.trial;
  end.node = started.node;
  end.verdict.kind = kind;
  end.verdict.gain = domain::Interval{0.3, 0.2, 0.4};
  end.recipe.entries = {domain::CompilerFlags{{"-O3"}, {}, {}, false}};
  end.commit = "c0";
  return end;
}

TEST(CampaignState, RebuildsTheTreeFromTheJournalAlone) {
  Journal journal;
  const auto first = journal.choose();
  journal.add(ended(first, domain::VerdictKind::kKept));
  journal.choose();
  const auto state = journal.folded();
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(state->search->trunk(), first.node);
  EXPECT_EQ(state->count(domain::VerdictKind::kKept), 1);
  ASSERT_NE(state->running(), nullptr);
  EXPECT_EQ(state->running()->start.trial, domain::TrialId{2});
}

TEST(CampaignState, CountsATrialThatWasCutOffFromItsStart) {
  Journal journal;
  const auto started = journal.choose();
  journal.add(ChangePrepared{started.trial, {}});
  journal.add(PairMeasured{started.trial, false, {}});
  journal.add(SessionResumed{"after a crash", 3, {}});
  journal.add(ChangePrepared{started.trial, {}});
  const auto state = journal.folded();
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->running()->pairs.empty());
  EXPECT_DOUBLE_EQ(state->spent_before_s, 3);
}

TEST(CampaignState, RefusesAJournalWhoseChoiceTheSearchWouldNotMake) {
  Journal journal;
  auto started = journal.choose();
  journal.events().pop_back();
  started.choice.action.id = domain::ActionId{99};
  journal.add(started);
  const auto state = journal.folded();
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().kind, base::ErrorKind::kCorrupt);
}

TEST(CampaignState, RefusesAVerdictOnATrialThatWasNeverStarted) {
  Journal journal;
  journal.add(ended({domain::TrialId{1}, domain::NodeId{1}, {}}, domain::VerdictKind::kReverted));
  EXPECT_FALSE(journal.folded());
}

TEST(CampaignState, RefusesWhatNamesANodeOrTrialThatIsNotThere) {
  const domain::Profile profile{"perf", 900, {}, ""};
  const auto refused = [](const Record& record, bool is_in_trial) {
    Journal journal;
    if (is_in_trial) journal.choose();
    EXPECT_TRUE(journal.folded());
    journal.add(record);
    const auto state = journal.folded();
    return !state && state.error().kind == base::ErrorKind::kCorrupt &&
           state.error().message.contains("does not follow from those before it");
  };
  EXPECT_TRUE(refused(Profiled{domain::NodeId{0}, profile, 0}, false));
  EXPECT_TRUE(refused(Profiled{domain::NodeId{7}, profile, 0}, true));
  EXPECT_FALSE(refused(Profiled{domain::NodeId{1}, profile, 0}, true));
  EXPECT_TRUE(refused(Proposed{domain::NodeId{2}, {}}, true));
  EXPECT_TRUE(refused(StageDone{domain::TrialId{2}, "build", "", 1}, true));
  EXPECT_TRUE(refused(PairMeasured{domain::TrialId{1}, false, {}}, false));
  EXPECT_FALSE(refused(PairMeasured{domain::TrialId{1}, false, {}}, true));
  EXPECT_TRUE(refused(
      ended({domain::TrialId{1}, domain::NodeId{2}, {}}, domain::VerdictKind::kReverted), true));
  EXPECT_TRUE(refused(Calibrated{}, false));
  EXPECT_TRUE(refused(CampaignStarted{}, false));
  auto constraining =
      ended({domain::TrialId{1}, domain::NodeId{1}, {}}, domain::VerdictKind::kReverted);
  constraining.constraints = {{}};
  EXPECT_FALSE(refused(constraining, true));
  constraining.constraints[0].scope.subtree = domain::NodeId{9};
  EXPECT_TRUE(refused(constraining, true));
}

TEST(CampaignState, RefusesATrialThatIsNotTheNextOrCarriesOtherParts) {
  const auto refused_with = [](const auto& alter) {
    Journal journal;
    auto started = journal.choose();
    journal.events().pop_back();
    alter(started);
    journal.add(started);
    return !journal.folded();
  };
  EXPECT_FALSE(refused_with([](TrialStarted&) {}));
  EXPECT_TRUE(refused_with([](TrialStarted& started) { started.trial = domain::TrialId{2}; }));
  EXPECT_TRUE(refused_with([](TrialStarted& started) { started.node = domain::NodeId{3}; }));
  EXPECT_TRUE(
      refused_with([](TrialStarted& started) { started.choice.parent = domain::NodeId{5}; }));
  EXPECT_TRUE(refused_with([](TrialStarted& started) {
    started.choice.action.parts = {domain::ActionId{8}, domain::ActionId{9}};
  }));
}

TEST(CampaignTime, DoesNotCountThePauseBetweenTwoSessions) {
  CampaignState state;
  const domain::Manifest manifest;
  CampaignStarted started;
  started.commit = "c0";
  state.apply(started, 10'000, manifest);
  state.apply(BaselineReady{}, 14'000, manifest);
  EXPECT_EQ(state.elapsed_s, 4);
  state.apply(SessionResumed{"after a stop", 4, {}}, 90'000, manifest);
  EXPECT_EQ(state.elapsed_s, 4);
  state.apply(BaselineReady{}, 91'500, manifest);
  EXPECT_EQ(state.elapsed_s, 5.5);
}

}  // namespace
}  // namespace arbor::engine
