// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/node_argument.h"
#include "app/verbs/verbs.h"

namespace arbor::app {
namespace {

int run(const Arguments& arguments, Terminal& terminal) {
  auto campaign = read_campaign(arguments);
  if (!campaign) return terminal.fail(campaign.error());
  const auto found = trial_argument(*campaign, arguments);
  if (!found) return terminal.fail(found.error());
  const auto& change = (*found)->change;
  if (!change)
    return terminal.fail(
        {base::ErrorKind::kUsage, "this node's change was never prepared; see 'arbor show'"});
  std::string text;
  for (const auto& entry : change->entries) {
    if (const auto* patch = std::get_if<domain::SourcePatch>(&entry))
      text += patch->diff;
    else
      text += "# " + domain::describe(entry) + "\n";
  }
  terminal.print(text);
  return kExitDone;
}

}  // namespace

Verb diff_verb() {
  return {"diff",
          "What a node changes: its patch, and its flags, variables and knobs as comments",
          "arbor diff n3",
          {},
          {{"NODE", "a node of 'arbor tree', for example n3", true, false}},
          run};
}

}  // namespace arbor::app
