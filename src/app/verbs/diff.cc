// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/text.h"

namespace arbor::app {
namespace {

int show(const engine::Trial& trial, Terminal& terminal) {
  const auto& change = trial.change;
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
  if (terminal.is_json())
    terminal.print_json({{"schema", "arbor.diff/1"},
                         {"node", trial.start.node.text()},
                         {"diff", base::printable(text)}});
  else
    terminal.print_bytes(text);
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_node(arguments, terminal, [&](const Campaign&, const engine::Trial& trial) {
    return show(trial, terminal);
  });
}

}  // namespace

Verb diff_verb() {
  return {"diff",
          "What a node changes: its patch, and its flags, variables and knobs as comments",
          "arbor diff n3",
          {},
          {node_positional()},
          run};
}

}  // namespace arbor::app
