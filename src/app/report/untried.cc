// SPDX-License-Identifier: Apache-2.0
#include "app/report/untried.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace arbor::app {
namespace {

std::string why_open(const engine::CampaignState& state, const search::Idea& idea) {
  const double expected = domain::expected_log_gain(idea.action.prediction);
  const std::string promise = fmt::format("{:+.1f} % expected", 100 * std::expm1(expected));
  const double provable = state.calibrated ? state.calibrated->calibration.smallest_detectable : 0;
  return promise + (expected < provable ? ": too little to be proved on this machine"
                                        : ": its turn had not come");
}

std::string why_untried(const engine::CampaignState& state, const search::Idea& idea) {
  const std::string note = idea.note.empty() ? "" : ": " + idea.note;
  switch (idea.state) {
    case search::IdeaState::kForbidden:
      return "forbidden" + note;
    case search::IdeaState::kSuperseded:
      return "superfluous" + note;
    case search::IdeaState::kOpen:
    case search::IdeaState::kTried:
    case search::IdeaState::kDone:
      break;
  }
  return why_open(state, idea);
}

}  // namespace

std::vector<Untried> untried_ideas(const engine::CampaignState& state) {
  std::vector<Untried> untried;
  if (!state.search) return untried;
  std::set<domain::ActionId> carried;
  for (const auto& trial : state.trials) {
    const auto& action = trial.start.choice.action;
    carried.insert(action.id);
    carried.insert(action.parts.begin(), action.parts.end());
  }
  for (const auto& idea : state.search->ideas())
    if (!carried.contains(idea.action.id) && idea.action.parts.empty())
      untried.push_back({idea.action, idea.proposed_at, why_untried(state, idea)});
  return untried;
}

std::vector<std::string> notes_of(const engine::CampaignState& state) {
  std::vector<std::string> notes;
  if (state.started) notes = state.started->notes;
  if (state.calibrated)
    notes.insert(notes.end(), state.calibrated->notes.begin(), state.calibrated->notes.end());
  if (state.baseline && !state.baseline->has_hash_proof)
    notes.emplace_back(
        "two builds of the unchanged program differ, so that equal artefacts prove nothing");
  if (state.baseline && state.baseline->has_unrecorded_compiles)
    notes.emplace_back(
        "the build calls a compiler by its absolute path: flags do not reach what that compiles; "
        "let it call cc, c++ or $(CC)");
  for (const auto& profiled : state.profiles)
    if (!profiled.profile.note.empty())
      notes.push_back(
          fmt::format("profile of {}: {}", profiled.node.text(), profiled.profile.note));
  for (const auto& trial : state.trials)
    for (const auto& stage : trial.stages)
      if (stage.stage == "note")
        notes.push_back(fmt::format("{}: {}", trial.start.node.text(), stage.detail));
  return notes;
}

}  // namespace arbor::app
