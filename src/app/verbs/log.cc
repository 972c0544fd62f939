// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/text.h"

namespace arbor::app {
namespace {

int print_events(const Campaign& campaign, Terminal& terminal) {
  const auto events = campaign.store->read(0);
  if (!events) return terminal.fail(events.error());
  for (const auto& event : *events) {
    auto body = base::parse_json(event.body, "journal entry");
    const base::Json line = {{"sequence", event.sequence},
                             {"unix_ms", event.unix_ms},
                             {"type", event.type},
                             {"body", body ? *body : base::Json(event.body)}};
    terminal.print(base::dump_json(line) + "\n");
  }
  return kExitDone;
}

int show(const Campaign& campaign, Terminal& terminal) {
  if (terminal.is_json()) return print_events(campaign, terminal);
  const auto& state = campaign.state;
  std::string text;
  for (const auto& trial : state.trials) {
    const std::string line =
        trial.end ? story_line(trial) : "running      " + trial.start.choice.action.title;
    text += fmt::format("{:>8}  {}\n", base::format_duration(trial.started_s), line);
  }
  terminal.print(text.empty() ? "No trial yet.\n" : text);
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_campaign(arguments, terminal,
                     [&](const Campaign& campaign) { return show(campaign, terminal); });
}

}  // namespace

Verb log_verb() {
  return {"log",
          "The story so far, a line per verdict; --json prints the whole journal as JSON lines",
          "arbor log\narbor log --json | tail -n 3",
          {},
          {},
          run};
}

}  // namespace arbor::app
