// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/reading.h"

#include <fmt/format.h>

#include "base/text.h"

namespace arbor::app {
namespace {

base::Result<const engine::Trial*> trial_named(const Campaign& campaign, const std::string& word) {
  const auto& trials = campaign.state.trials;
  for (const auto& trial : trials)
    if (trial.start.node.text() == word || trial.start.trial.text() == word ||
        std::to_string(trial.start.node.value) == word)
      return &trial;
  if (word == "n0" || word == "0")
    return base::fail(base::ErrorKind::kUsage,
                      "n0 is the baseline, which no trial made; 'arbor show n0' shows it");
  return base::fail(
      base::ErrorKind::kUsage,
      trials.empty()
          ? "this campaign has no trial yet"
          : fmt::format("there is no node '{}': this campaign has n1 to n{}; see 'arbor tree'",
                        base::printable(word), trials.size()));
}

}  // namespace

int on_campaign(const Arguments& arguments, Terminal& terminal,
                const std::function<int(const Campaign&)>& show) {
  const auto campaign = read_campaign(arguments);
  return campaign ? show(*campaign) : terminal.fail(campaign.error());
}

int on_node(const Arguments& arguments, Terminal& terminal,
            const std::function<int(const Campaign&, const engine::Trial&)>& show) {
  return on_campaign(arguments, terminal, [&](const Campaign& campaign) {
    const auto& words = arguments.positionals;
    const auto found = trial_named(campaign, words.empty() ? "" : words.front());
    return found ? show(campaign, **found) : terminal.fail(found.error());
  });
}

Positional node_positional() {
  return {"NODE", "a node of 'arbor tree', for example n3", true, false};
}

}  // namespace arbor::app
