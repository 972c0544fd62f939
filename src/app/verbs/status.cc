// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/text.h"

namespace arbor::app {
namespace {

std::string phase_of(const engine::CampaignState& state) {
  if (state.stopped) return "stopped: " + state.stopped->reason;
  if (!state.baseline) return "preparing the baseline";
  if (!state.calibrated) return "calibrating the noise";
  if (const auto* running = state.running()) return "trying " + running->start.choice.action.title;
  return "choosing the next action";
}

base::Json status_json(const engine::CampaignState& state) {
  base::Json json = {{"schema", "arbor.status/1"}, {"phase", phase_of(state)}};
  json["elapsed_s"] = state.elapsed_s();
  json["budget_s"] = state.started ? base::Json(state.started->budget_s) : base::Json(nullptr);
  json["decided"] = state.decided();
  json["kept"] = state.count(domain::VerdictKind::kKept);
  json["gain_so_far"] =
      state.search ? base::Json(std::exp(state.search->gain_so_far())) : base::Json(nullptr);
  return json;
}

int show(const Campaign& campaign, Terminal& terminal) {
  const auto& state = campaign.state;
  if (terminal.is_json()) {
    terminal.print_json(status_json(state));
    return kExitDone;
  }
  std::string text = fmt::format("{}\n", base::printable(phase_of(state)));
  text += fmt::format("time      {} of {}\n", base::format_duration(state.elapsed_s()),
                      state.started ? base::format_duration(state.started->budget_s) : "?");
  text += fmt::format("trials    {} decided, {} kept\n", state.decided(),
                      state.count(domain::VerdictKind::kKept));
  if (state.search)
    text +=
        fmt::format("so far    {:.2f}× by the kept steps\n", std::exp(state.search->gain_so_far()));
  if (!state.trials.empty() && state.trials.back().end)
    text += "last      " + story_line(state.trials.back()) + "\n";
  terminal.print(text);
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_campaign(arguments, terminal,
                     [&](const Campaign& campaign) { return show(campaign, terminal); });
}

}  // namespace

Verb status_verb() {
  return {"status", "Where the campaign stands", "arbor status\narbor status --json", {}, {}, run};
}

}  // namespace arbor::app
