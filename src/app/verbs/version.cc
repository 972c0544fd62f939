// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/terminal.h"
#include "app/verbs/verbs.h"
#include "app/version.h"

namespace arbor::app {
namespace {

int run(const Arguments&, Terminal& terminal) {
  const BuildFacts facts = build_facts();
  if (terminal.is_json())
    terminal.print_json(
        {{"schema", "arbor.version/1"},
         {"version", facts.version},
         {"commit", facts.commit.empty() ? base::Json(nullptr) : base::Json(facts.commit)},
         {"compiler", facts.compiler},
         {"build", facts.build_type}});
  else
    terminal.print(fmt::format("arbor {}{}\n{}, {}\n", facts.version,
                               facts.commit.empty() ? "" : " (" + facts.commit + ")",
                               facts.compiler, facts.build_type));
  return kExitDone;
}

}  // namespace

Verb version_verb() {
  return {"version", "Version, commit and compiler", "arbor version", {}, {}, run};
}

}  // namespace arbor::app
