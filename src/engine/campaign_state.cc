// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace arbor::engine {
namespace {

// Each record type's effect on the state; Search is told in exactly the order of the journal.
struct Applier {
  CampaignState& state;
  std::int64_t unix_ms;
  const domain::Manifest& manifest;

  void operator()(const CampaignStarted& record) const { state.started = record; }
  void operator()(const BaselineReady& record) const { state.baseline = record; }
  void operator()(const CalibrationPair& record) const {
    state.calibration_pairs.push_back(record.pair);
  }
  void operator()(const SelfTested& record) const { state.self_test = record; }
  void operator()(const Calibrated& record) const {
    state.calibrated = record;
    search::SearchOptions options;
    options.seed = state.started->seed;
    options.is_as_printed = manifest.search.score == "as-printed";
    options.goal_speedup = manifest.goal.speedup;
    options.delta1 = std::max(0.01, record.calibration.smallest_detectable / 2);
    state.search = std::make_unique<search::Search>(options);
  }
  void operator()(const Profiled& record) const {
    if (record.node.value == 0)
      state.search->add_root(state.started->commit, record.profile);
    else
      state.search->set_profile(record.node, record.profile);
    state.profiles.push_back(record);
  }
  void operator()(const Proposed& record) const {
    state.search->propose(record.node, record.actions);
    state.asked.push_back(record.node);
  }
  void operator()(const TrialStarted& record) const {
    const auto node = state.search->begin(record.choice, record.trial);
    ARBOR_CHECK(node == record.node, "a trial opened another node than its journal entry says");
    Trial trial;
    trial.start = record;
    trial.started_unix_ms = unix_ms;
    trial.started_s = state.elapsed_s();
    state.trials.push_back(std::move(trial));
  }
  void operator()(const ChangePrepared& record) const {
    trial_of(record.trial).change = record.change;
    // A trial that was cut off is repeated from here: what it had measured does not count.
    trial_of(record.trial).stages.clear();
    trial_of(record.trial).pairs.clear();
    trial_of(record.trial).confirm_pairs.clear();
  }
  void operator()(const StageDone& record) const {
    if (record.trial.is_valid()) trial_of(record.trial).stages.push_back(record);
  }
  void operator()(const PairMeasured& record) const {
    if (!record.trial.is_valid()) {
      state.final_pairs.push_back(record.pair);
      return;
    }
    auto& trial = trial_of(record.trial);
    (record.is_confirm ? trial.confirm_pairs : trial.pairs).push_back(record.pair);
  }
  void operator()(const TrialEnded& record) const {
    auto& trial = trial_of(record.trial);
    state.search->tell(record.node, record.verdict, record.recipe, record.commit,
                       record.annotation);
    for (const auto& constraint : record.constraints) state.search->add_constraint(constraint);
    state.search->learn_minutes(trial.start.choice.action, record.minutes);
    trial.end = record;
    trial.ended_unix_ms = unix_ms;
  }
  void operator()(const FinalMeasured& record) const { state.final_measured = record; }
  void operator()(const SessionResumed& record) const {
    state.spent_before_s = record.spent_s;
    if (record.budget_s) state.started->budget_s = *record.budget_s;
    state.session_unix_ms = unix_ms;
    state.stopped.reset();
    state.final_pairs.clear();
    state.final_measured.reset();
  }
  void operator()(const CampaignStopped& record) const { state.stopped = record; }

  Trial& trial_of(domain::TrialId id) const {
    const auto index = static_cast<std::size_t>(id.value - 1);
    ARBOR_CHECK(id.value >= 1 && index < state.trials.size(),
                "the journal names a trial it never started");
    return state.trials[index];
  }
};

// What must already be in the journal before a record of this type can be applied.
bool fits(const Record& record, const CampaignState& state) {
  if (std::holds_alternative<CampaignStarted>(record)) return !state.started;
  if (!state.started) return false;
  if (std::holds_alternative<Profiled>(record) || std::holds_alternative<Proposed>(record) ||
      std::holds_alternative<TrialStarted>(record))
    return state.search != nullptr;
  const auto started_trial = [&](domain::TrialId id) {
    return id.value >= 1 && static_cast<std::size_t>(id.value) <= state.trials.size();
  };
  if (const auto* prepared = std::get_if<ChangePrepared>(&record))
    return started_trial(prepared->trial);
  if (const auto* ended = std::get_if<TrialEnded>(&record))
    return started_trial(ended->trial) && !state.find(ended->trial)->end;
  return true;
}

}  // namespace

const Trial* CampaignState::running() const {
  return !trials.empty() && !trials.back().end ? &trials.back() : nullptr;
}

const Trial* CampaignState::find(domain::TrialId id) const {
  for (const auto& trial : trials)
    if (trial.start.trial == id) return &trial;
  return nullptr;
}

int CampaignState::count(domain::VerdictKind kind) const {
  return static_cast<int>(std::ranges::count_if(
      trials, [&](const Trial& trial) { return trial.end && trial.end->verdict.kind == kind; }));
}

int CampaignState::decided() const {
  return static_cast<int>(
      std::ranges::count_if(trials, [](const Trial& trial) { return trial.end.has_value(); }));
}

double CampaignState::elapsed_s() const {
  return spent_before_s + static_cast<double>(last_unix_ms - session_unix_ms) / 1000.0;
}

void CampaignState::apply(const Record& record, std::int64_t unix_ms,
                          const domain::Manifest& manifest) {
  if (first_unix_ms == 0) first_unix_ms = session_unix_ms = unix_ms;
  last_unix_ms = unix_ms;
  std::visit(Applier{*this, unix_ms, manifest}, record);
}

base::Result<CampaignState> fold(const std::vector<ports::Event>& events,
                                 const domain::Manifest& manifest) {
  CampaignState state;
  for (const auto& event : events) {
    ARBOR_TRY(const Record record, decode(event));
    if (!fits(record, state))
      return base::fail(base::ErrorKind::kCorrupt,
                        fmt::format("journal entry {} ({}) does not follow from those before it",
                                    event.sequence, event.type));
    if (const auto* started = std::get_if<TrialStarted>(&record)) {
      const auto choice = state.search->ask();
      if (!choice || choice->action.id != started->choice.action.id)
        return base::fail(
            base::ErrorKind::kCorrupt,
            fmt::format("journal entry {}: the search now chooses {} where it once chose {}; the "
                        "campaign was made by another version of Arbor",
                        event.sequence, choice ? choice->action.id.text() : "nothing",
                        started->choice.action.id.text()));
    }
    state.apply(record, event.unix_ms, manifest);
  }
  return state;
}

}  // namespace arbor::engine
