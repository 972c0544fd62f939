// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/files.h"

namespace arbor::app {
namespace {

int show(const Campaign& campaign, const Arguments& arguments, Terminal& terminal) {
  const auto json = report_json(campaign.state, campaign.manifest);
  if (terminal.is_json()) {
    terminal.print_json(json);
    return kExitDone;
  }
  const std::string markdown = report_markdown(campaign.state, campaign.manifest);
  if (const auto folder = arguments.value("--output")) {
    const auto target = path_given(arguments, *folder);
    if (auto written = base::write_file(target / "report.md", markdown); !written)
      return terminal.fail(written.error());
    if (auto written = base::write_file(target / "report.json", base::dump_json(json, 2)); !written)
      return terminal.fail(written.error());
    terminal.log("wrote report.md and report.json into " + target.string());
    return kExitDone;
  }
  terminal.print(markdown);
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_campaign(arguments, terminal,
                     [&](const Campaign& campaign) { return show(campaign, arguments, terminal); });
}

}  // namespace

Verb report_verb() {
  return {"report",
          "What the campaign found: what got faster, by how much, how sure, what to merge",
          "arbor report\narbor report --json | jq .speedup\narbor report --output out/",
          {{"--output", "DIR", "write report.md and report.json into DIR instead"}},
          {},
          run};
}

}  // namespace arbor::app
