// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/text.h"
#include "ports/clock/system.h"
#include "ports/store/controller_lock.h"

namespace arbor::app {
namespace {

// Whether somebody runs the campaign now, and what goes on with it if not.
struct Standing {
  std::string state;  // "running", "stopped", "finished", "interrupted"
  std::string text;
  std::optional<int> pid;
};

std::string when(std::int64_t unix_ms) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC",
                     fmt::gmtime(static_cast<std::time_t>(unix_ms / 1000)));
}

Standing standing_of(const Campaign& campaign) {
  const auto& state = campaign.state;
  const auto pid = ports::lock_holder(campaign.root / ".arbor" / "lock");
  if (pid)
    return {"running", fmt::format("running (pid {}, since {})", *pid, when(state.session_unix_ms)),
            pid};
  const std::string last = when(state.last_unix_ms);
  if (!state.stopped)
    return {"interrupted",
            "not running: it was cut off at " + last + "; 'arbor resume' goes on with it",
            {}};
  if (state.stopped->reason == "user")
    return {"stopped", "stopped at " + last + ", continue with 'arbor resume'", {}};
  return {"finished",
          fmt::format("finished at {}: {}; 'arbor report' tells what it found", last,
                      stop_text(state.stopped->reason)),
          {}};
}

std::string phase_of(const engine::CampaignState& state) {
  if (state.stopped) return "stopped: " + state.stopped->reason;
  if (!state.baseline) return "preparing the baseline";
  if (!state.calibrated) return "calibrating the noise";
  if (const auto* running = state.running()) return "trying " + running->start.choice.action.title;
  return "choosing the next action";
}

// Up to now where it runs, up to its last entry where it does not.
double elapsed_s(const engine::CampaignState& state, const Standing& standing) {
  if (!standing.pid) return state.elapsed_s;
  const auto now_ms = ports::make_system_clock()->unix_ms();
  return state.elapsed_s + std::max(0.0, static_cast<double>(now_ms - state.last_unix_ms) / 1000.0);
}

std::optional<double> left_s(const engine::CampaignState& state, double elapsed) {
  if (!state.started) return std::nullopt;
  return std::max(0.0, state.started->budget_s - elapsed);
}

base::Json status_json(const engine::CampaignState& state, const Standing& standing) {
  const double elapsed = elapsed_s(state, standing);
  const auto left = left_s(state, elapsed);
  base::Json json = {{"schema", "arbor.status/1"},
                     {"state", standing.state},
                     {"pid", standing.pid ? base::Json(*standing.pid) : base::Json(nullptr)},
                     {"session_unix_ms", state.session_unix_ms},
                     {"last_unix_ms", state.last_unix_ms},
                     {"phase", phase_of(state)}};
  json["elapsed_s"] = elapsed;
  json["budget_s"] = state.started ? base::Json(state.started->budget_s) : base::Json(nullptr);
  json["budget_left_s"] = left ? base::Json(*left) : base::Json(nullptr);
  json["decided"] = state.decided();
  json["kept"] = state.count(domain::VerdictKind::kKept);
  json["gain_so_far"] =
      state.search ? base::Json(std::exp(state.search->gain_so_far())) : base::Json(nullptr);
  return json;
}

int show(const Campaign& campaign, Terminal& terminal) {
  const auto& state = campaign.state;
  const Standing standing = standing_of(campaign);
  if (terminal.is_json()) {
    terminal.print_json(status_json(state, standing));
    return kExitDone;
  }
  const double elapsed = elapsed_s(state, standing);
  std::string text = standing.text + "\n";
  if (!state.stopped) text += fmt::format("phase     {}\n", base::printable(phase_of(state)));
  text += fmt::format("time      {} of {}, {} left\n", base::format_duration(elapsed),
                      state.started ? base::format_duration(state.started->budget_s) : "?",
                      base::format_duration(left_s(state, elapsed).value_or(0)));
  text += fmt::format("trials    {} decided, {} kept\n", state.decided(),
                      state.count(domain::VerdictKind::kKept));
  if (state.search)
    text +=
        fmt::format("so far    {:.2f}× by the kept steps\n", std::exp(state.search->gain_so_far()));
  if (const auto last =
          std::ranges::find_if(state.trials.rbegin(), state.trials.rend(),
                               [](const auto& trial) { return trial.end.has_value(); });
      last != state.trials.rend())
    text += "last      " + story_line(*last) + "\n";
  terminal.print(text);
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_campaign(arguments, terminal,
                     [&](const Campaign& campaign) { return show(campaign, terminal); });
}

}  // namespace

Verb status_verb() {
  return {"status",
          "Where the campaign stands: running, stopped or finished, and time left",
          "arbor status\narbor status --json",
          {},
          {},
          run};
}

}  // namespace arbor::app
