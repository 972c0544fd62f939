// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/node_argument.h"

#include <fmt/format.h>

#include "base/text.h"

namespace arbor::app {

base::Result<const engine::Trial*> trial_argument(const Campaign& campaign,
                                                  const Arguments& arguments) {
  const std::string word = arguments.positionals.empty() ? "" : arguments.positionals.front();
  const auto& trials = campaign.state.trials;
  for (const auto& trial : trials)
    if (trial.start.node.text() == word || trial.start.trial.text() == word ||
        std::to_string(trial.start.node.value) == word)
      return &trial;
  return base::fail(
      base::ErrorKind::kUsage,
      trials.empty()
          ? "this campaign has no trial yet"
          : fmt::format("there is no node '{}': this campaign has n1 to n{}; see 'arbor tree'",
                        base::printable(word), trials.size()));
}

}  // namespace arbor::app
