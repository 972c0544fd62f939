// SPDX-License-Identifier: Apache-2.0
#include "app/export/kept_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/report.h"
#include "base/text.h"

namespace arbor::app {
namespace {

std::string evidence_of(const engine::Trial& trial) {
  const auto& verdict = trial.end->verdict;
  return fmt::format(
      "{} against the state before (95 % interval, {} pairs).\nNode {} of a campaign of "
      "Arbor, category {}.\n",
      speedup_text(verdict.gain), verdict.pairs, trial.start.node.text(),
      trial.start.choice.action.category);
}

std::string title_of(const engine::Trial& trial) {
  std::string title = base::printable(trial.start.choice.action.title);
  std::ranges::replace(title, '\n', ' ');
  return title;
}

const domain::Recipe& trunk_recipe(const engine::CampaignState& state) {
  return state.search->node(state.search->trunk()).recipe;
}

}  // namespace

std::vector<const engine::Trial*> kept_trials(const engine::CampaignState& state) {
  std::vector<const engine::Trial*> trials;
  if (!state.search || state.search->nodes().empty()) return trials;
  for (auto id = state.search->trunk(); id.value > 0; id = state.search->node(id).parent)
    trials.push_back(state.find(state.search->node(id).trial));
  std::ranges::reverse(trials);
  return trials;
}

base::Result<std::vector<KeptStep>> commit_kept_steps(const workspace::Repository& repository,
                                                      const engine::CampaignState& state) {
  std::vector<KeptStep> steps;
  if (!state.started) return steps;
  std::string tip = state.started->commit;
  ARBOR_TRY(std::string tip_tree, repository.tree_id(tip));
  for (const auto* trial : kept_trials(state)) {
    KeptStep step{trial, ""};
    ARBOR_TRY(const std::string tree, repository.tree_id(trial->end->commit));
    if (tree != tip_tree) {
      ARBOR_TRY(tip, repository.recommit(trial->end->commit, tip,
                                         title_of(*trial) + "\n\n" + evidence_of(*trial)));
      step.commit = tip;
      tip_tree = tree;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

workspace::SeriesOrder series_order(const Campaign& campaign, const std::vector<KeptStep>& steps) {
  workspace::SeriesOrder order;
  for (const auto& step : steps)
    if (!step.commit.empty())
      order.commits.push_back({step.commit, title_of(*step.trial), evidence_of(*step.trial)});
  order.recipe = trunk_recipe(campaign.state);
  order.knobs = campaign.manifest.knobs;
  order.build_command = campaign.manifest.build.command;
  if (campaign.state.baseline) order.objects = campaign.state.baseline->objects;
  return order;
}

std::vector<std::string> steps_by_hand(const domain::Recipe& recipe,
                                       const domain::Manifest& manifest) {
  std::vector<std::string> lines;
  for (const auto& entry : recipe.entries) {
    if (std::holds_alternative<domain::ProfileGuided>(entry))
      lines.push_back(fmt::format(
          "Build with -fprofile-generate added to the flags, run `{}`, build again with "
          "-fprofile-use instead.",
          manifest.bench.train.empty() ? manifest.bench.command : manifest.bench.train));
    const auto* value = std::get_if<domain::KnobValue>(&entry);
    if (value == nullptr) continue;
    const auto* knob = domain::find_knob(manifest.knobs, value->knob);
    if (knob == nullptr)
      lines.push_back(fmt::format("Set '{}' to '{}'.", value->knob, value->value));
    else if (knob->kind == domain::KnobKind::kArgument)
      lines.push_back(fmt::format("Start the program with '{}' set to '{}' (argument '{}').",
                                  knob->name, value->value, knob->argument));
    else if (knob->kind == domain::KnobKind::kFileTemplate)
      lines.push_back(
          fmt::format("Set '{}' to '{}' in the file '{}'.", knob->name, value->value, knob->file));
  }
  for (auto& line : lines) line = base::printable(line);
  return lines;
}

}  // namespace arbor::app
