// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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
    trial.started_s = state.elapsed_s;
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
  }
  void operator()(const FinalMeasured& record) const { state.final_measured = record; }
  void operator()(const SessionResumed& record) const {
    state.spent_before_s = state.elapsed_s = record.spent_s;
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

// Why a record cannot follow from those before it; empty when it can.
struct Successor {
  const CampaignState& state;

  std::string operator()(const CampaignStarted&) const {
    return state.started ? "a campaign starts once" : "";
  }
  std::string operator()(const BaselineReady&) const { return unless_started(); }
  std::string operator()(const CalibrationPair&) const { return unless_started(); }
  std::string operator()(const SelfTested&) const { return unless_started(); }
  std::string operator()(const Calibrated&) const {
    if (state.search && !state.search->nodes().empty()) return "what was tried rests on another";
    return unless_started();
  }
  std::string operator()(const Profiled& record) const {
    if (!state.search) return "nothing was calibrated";
    const bool is_first = state.search->nodes().empty();
    if (record.node.value == 0) return is_first ? "" : "n0 was profiled before";
    return unless_node(record.node);
  }
  std::string operator()(const Proposed& record) const { return unless_node(record.node); }
  std::string operator()(const TrialStarted& record) const {
    if (auto missing = unless_node(record.choice.parent); !missing.empty()) return missing;
    if (state.running() != nullptr) return state.running()->start.trial.text() + " has no end";
    const auto next = static_cast<std::int64_t>(state.trials.size()) + 1;
    if (record.trial.value != next || record.node.value != next)
      return fmt::format("{} in {} is not the next", record.trial.text(), record.node.text());
    return "";
  }
  std::string operator()(const ChangePrepared& record) const {
    return unless_running(record.trial);
  }
  std::string operator()(const StageDone& record) const {
    if (!record.trial.is_valid()) return unless_started();
    return state.find(record.trial) != nullptr ? "" : "there is no trial " + record.trial.text();
  }
  std::string operator()(const PairMeasured& record) const {
    return record.trial.is_valid() ? unless_running(record.trial) : unless_started();
  }
  std::string operator()(const TrialEnded& record) const {
    if (auto missing = unless_running(record.trial); !missing.empty()) return missing;
    if (record.node != state.running()->start.node)
      return fmt::format("{} is not of {}", record.trial.text(), record.node.text());
    for (const auto& constraint : record.constraints)
      if (constraint.scope.subtree.is_valid())
        if (auto missing = unless_node(constraint.scope.subtree); !missing.empty()) return missing;
    return "";
  }
  std::string operator()(const FinalMeasured&) const { return unless_started(); }
  std::string operator()(const SessionResumed&) const { return unless_started(); }
  std::string operator()(const CampaignStopped&) const { return unless_started(); }

  std::string unless_started() const { return state.started ? "" : "no campaign has started"; }
  std::string unless_node(domain::NodeId id) const {
    const bool is_there = state.search && id.is_valid() &&
                          id.value < static_cast<std::int64_t>(state.search->nodes().size());
    return is_there ? "" : "there is no node " + id.text();
  }
  std::string unless_running(domain::TrialId id) const {
    const auto* running = state.running();
    return running != nullptr && running->start.trial == id
               ? ""
               : fmt::format("no trial {} is under way", id.text());
  }
};

// Whether the search, asked again, makes the choice of the journal: its trial and all it carries.
bool is_chosen_again(const std::optional<search::Choice>& choice, const search::Choice& journaled) {
  return choice && choice->action.id == journaled.action.id &&
         choice->action.parts == journaled.action.parts && choice->parent == journaled.parent;
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

void CampaignState::apply(const Record& record, std::int64_t unix_ms,
                          const domain::Manifest& manifest) {
  if (first_unix_ms == 0) first_unix_ms = last_unix_ms = session_unix_ms = unix_ms;
  // A clock that was set back takes nothing away.
  elapsed_s +=
      std::max(0.0, static_cast<double>(unix_ms - std::exchange(last_unix_ms, unix_ms)) / 1000.0);
  std::visit(Applier{*this, unix_ms, manifest}, record);
}

base::Result<CampaignState> fold(const std::vector<ports::Event>& events,
                                 const domain::Manifest& manifest) {
  CampaignState state;
  for (const auto& event : events) {
    ARBOR_TRY(const Record record, decode(event));
    if (const auto misfit = std::visit(Successor{state}, record); !misfit.empty())
      return base::fail(
          base::ErrorKind::kCorrupt,
          fmt::format("journal entry {} ({}) does not follow from those before it: {}",
                      event.sequence, event.type, misfit));
    if (const auto* started = std::get_if<TrialStarted>(&record)) {
      const auto choice = state.search->ask();
      if (!is_chosen_again(choice, started->choice))
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
