// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/baseline.h"
#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/text.h"

namespace arbor::app {
namespace {

// One block character per pair, from the worst to the best gain seen in the trial.
std::string sparkline(const std::vector<domain::Pair>& pairs) {
  static constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double low = 0, high = 0;
  for (const auto& pair : pairs) {
    if (!pair.x) continue;
    low = std::min(low, *pair.x);
    high = std::max(high, *pair.x);
  }
  std::string text;
  for (const auto& pair : pairs) {
    if (!pair.x) {
      text += "·";
      continue;
    }
    const double position = high > low ? (*pair.x - low) / (high - low) : 0.5;
    text += kBlocks[std::clamp(static_cast<int>(position * 7.999), 0, 7)];
  }
  return text;
}

base::Json pairs_json(const std::vector<domain::Pair>& pairs) {
  base::Json list = base::Json::array();
  for (const auto& pair : pairs)
    list.push_back(
        {{"index", pair.index},
         {"candidate_first", pair.candidate_first},
         {"trunk", pair.trunk.metric ? base::Json(*pair.trunk.metric) : base::Json(nullptr)},
         {"candidate",
          pair.candidate.metric ? base::Json(*pair.candidate.metric) : base::Json(nullptr)},
         {"ln_gain", pair.x ? base::Json(*pair.x) : base::Json(nullptr)},
         {"void", pair.void_reason}});
  return list;
}

std::string change_text(const engine::Trial& trial) {
  if (!trial.change) return "  not prepared\n";
  std::string text;
  for (const auto& entry : trial.change->entries) text += "  " + domain::describe(entry) + "\n";
  return text;
}

// What its builds and checks printed. An object that is gone is said in its place: the rest of the
// node is still of use.
std::string log_of(const engine::StageDone& stage, const ports::Store& store) {
  if (stage.log.empty()) return "";
  const auto text = store.get_object(stage.log);
  return text ? *text : "(not readable: " + text.error().message + ")";
}

base::Json node_json(const engine::Trial& trial, const ports::Store& store, bool with_logs) {
  base::Json stages = base::Json::array();
  for (const auto& stage : trial.stages) {
    stages.push_back(
        {{"stage", stage.stage}, {"seconds", stage.seconds}, {"detail", stage.detail}});
    if (with_logs) stages.back()["log"] = log_of(stage, store);
  }
  return {{"schema", "arbor.node/1"},
          {"node", trial.start.node.text()},
          {"action", trial.start.choice.action.title},
          {"verdict", trial.end ? base::Json(domain::verdict_name(trial.end->verdict.kind))
                                : base::Json(nullptr)},
          {"stages", stages},
          {"pairs", pairs_json(trial.pairs)},
          {"confirm_pairs", pairs_json(trial.confirm_pairs)}};
}

std::string logs_text(const engine::Trial& trial, const ports::Store& store) {
  std::string text;
  for (const auto& stage : trial.stages)
    if (const std::string log = log_of(stage, store); !log.empty())
      text += fmt::format("== {}\n{}{}", stage.stage, log, log.ends_with('\n') ? "" : "\n");
  return text.empty() ? "its builds and checks printed nothing\n" : text;
}

std::string node_text(const engine::Trial& trial, const Terminal& terminal) {
  const auto& action = trial.start.choice.action;
  std::string text = fmt::format("{}  {}\n", terminal.bold(trial.start.node.text()), action.title);
  text +=
      fmt::format("layer {}  category {}  by {}\n\nChange\n{}\n", domain::layer_name(action.layer),
                  action.category, action.specialist, change_text(trial));
  for (const auto& stage : trial.stages) {
    const auto lines = base::lines_of(stage.detail);
    text += fmt::format("{:<15}{:>8}  {}\n", stage.stage, base::format_duration(stage.seconds),
                        lines.empty() ? "" : base::elided(base::printable(lines.front()), 300));
  }
  if (!trial.pairs.empty()) text += fmt::format("\npairs    {}\n", sparkline(trial.pairs));
  if (!trial.confirm_pairs.empty())
    text += fmt::format("confirm  {}\n", sparkline(trial.confirm_pairs));
  if (std::ranges::any_of(trial.stages, [](const auto& stage) { return !stage.log.empty(); }))
    text += fmt::format("\nlogs     arbor show {} --log\n", trial.start.node.text());
  if (trial.end)
    text += fmt::format("\n{}  {}\n{}\n", domain::verdict_name(trial.end->verdict.kind),
                        speedup_text(trial.end->verdict.gain),
                        base::printable(base::shortened(trial.end->verdict.detail, 4000)));
  return text;
}

bool names_the_root(const Arguments& arguments) {
  const auto& words = arguments.positionals;
  return !words.empty() && (words.front() == "n0" || words.front() == "0");
}

int run(const Arguments& arguments, Terminal& terminal) {
  if (names_the_root(arguments))
    return on_campaign(arguments, terminal, [&](const Campaign& campaign) {
      if (terminal.is_json())
        terminal.print_json(baseline_json(campaign.state, campaign.manifest));
      else
        terminal.print(baseline_text(campaign.state, campaign.manifest));
      return kExitDone;
    });
  const bool with_logs = arguments.has("--log");
  return on_node(arguments, terminal, [&](const Campaign& campaign, const engine::Trial& trial) {
    if (terminal.is_json())
      terminal.print_json(node_json(trial, *campaign.store, with_logs));
    else
      terminal.print(with_logs ? logs_text(trial, *campaign.store) : node_text(trial, terminal));
    return kExitDone;
  });
}

}  // namespace

Verb show_verb() {
  return {"show",
          "A node in full: its change, stages, pairs and verdict; n0 is the baseline",
          "arbor show n3\narbor show n3 --log\narbor show n0",
          {{"--log", "", "what its builds and checks printed instead"}},
          {node_positional()},
          run};
}

}  // namespace arbor::app
