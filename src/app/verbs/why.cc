// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/origins.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/text.h"

namespace arbor::app {
namespace {

// Where the idea came from; of a combined one, where each of its parts did.
std::string revealed_text(const engine::CampaignState& state, const domain::Action& action) {
  const auto origins = origins_of(state, action);
  if (origins.empty()) return "unknown\n";
  if (action.parts.empty()) return revealed_by(state, origins.front().proposed_at) + "\n";
  std::string text = "each part where it was proposed\n";
  for (const auto& origin : origins)
    text += fmt::format("  {:<11}{}: {}\n", origin.proposed_at.text(), origin.title,
                        revealed_by(state, origin.proposed_at));
  return text;
}

std::string terms_text(const search::ScoreTerms& terms) {
  std::string text = "score = exploit + explore\n";
  text += fmt::format("  f  share of time touched        {:.4f}\n", terms.f);
  text += fmt::format("  s  expected speed-up of it      {:.4f}\n", terms.s);
  text += fmt::format("  g  expected ln gain             {:.4f}\n", terms.g);
  text += fmt::format("  c  minutes it costs             {:.4f}\n", terms.minutes);
  text += fmt::format("  r  risk: accuracy, crash        {:.4f}, {:.4f}\n", terms.accuracy_risk,
                      terms.crash_risk);
  text += fmt::format("  m  urgency by the gap           {:.4f}\n", terms.gap);
  text += fmt::format("     multiplier of its history    {:.4f}\n", terms.multiplier);
  text += fmt::format("  exploit  raw, normalised        {:.4f}, {:.4f}\n", terms.exploit_raw,
                      terms.exploit);
  text += fmt::format("  explore  C {:.3f}, N {}, n {}     {:.4f}\n", terms.exploration_weight,
                      terms.trials_so_far, terms.category_trials, terms.explore);
  return text + fmt::format("  total                           {:.4f}\n", terms.total);
}

base::Json terms_json(const search::ScoreTerms& terms) {
  return {{"f", terms.f},
          {"s", terms.s},
          {"g", terms.g},
          {"minutes", terms.minutes},
          {"accuracy_risk", terms.accuracy_risk},
          {"crash_risk", terms.crash_risk},
          {"gap", terms.gap},
          {"multiplier", terms.multiplier},
          {"exploit_raw", terms.exploit_raw},
          {"exploit", terms.exploit},
          {"exploration_weight", terms.exploration_weight},
          {"trials_so_far", terms.trials_so_far},
          {"category_trials", terms.category_trials},
          {"explore", terms.explore},
          {"total", terms.total}};
}

int show(const engine::CampaignState& state, const engine::Trial& trial, Terminal& terminal) {
  const auto& choice = trial.start.choice;
  const std::string annotation = trial.end ? trial.end->annotation : "";
  if (terminal.is_json()) {
    base::Json json = {{"schema", "arbor.why/1"},           {"node", trial.start.node.text()},
                       {"action", choice.action.title},     {"rationale", choice.action.rationale},
                       {"chosen_because", choice.why},      {"revealed_by", nullptr},
                       {"score", terms_json(choice.score)}, {"annotation", annotation}};
    add_origins(json, state, choice.action);
    if (!json["proposed_at"].is_null())
      json["revealed_by"] =
          revealed_by(state, origins_of(state, choice.action).front().proposed_at);
    terminal.print_json(json);
    return kExitDone;
  }
  std::string text =
      fmt::format("{}  {}\n\n", terminal.bold(trial.start.node.text()), choice.action.title);
  text += fmt::format("Evidence     {}\n", choice.action.rationale);
  text += "Revealed by  " + revealed_text(state, choice.action);
  text += fmt::format("Chosen       {}\n\n", choice.why);
  text += terms_text(choice.score);
  if (trial.end) {
    text += fmt::format("\nVerdict      {}: {}\n", domain::verdict_name(trial.end->verdict.kind),
                        base::printable(base::shortened(trial.end->verdict.detail, 2000)));
    for (const auto& key : trial.end->keys)
      text += fmt::format("Key          {} {}: {}\n", key.role,
                          key.is_signed ? "signed" : "refused", key.reason);
  }
  if (!annotation.empty()) text += fmt::format("Lesson       {}\n", annotation);
  terminal.print(text);
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_node(arguments, terminal, [&](const Campaign& campaign, const engine::Trial& trial) {
    return show(campaign.state, trial, terminal);
  });
}

}  // namespace

Verb why_verb() {
  return {"why",
          "Why a node was tried: evidence, the profile that revealed it, every term of its score",
          "arbor why n3",
          {},
          {node_positional()},
          run};
}

}  // namespace arbor::app
