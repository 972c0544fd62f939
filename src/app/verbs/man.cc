// SPDX-License-Identifier: Apache-2.0
#include "app/cli/manual.h"
#include "app/cli/terminal.h"
#include "app/verbs/verbs.h"
#include "app/version.h"

namespace arbor::app {
namespace {

int run(const Arguments&, Terminal& terminal) {
  terminal.print(manual_page(all_verbs(), build_facts().version));
  return kExitDone;
}

}  // namespace

Verb man_verb() { return {"man", "The manual page", "arbor man | man -l -", {}, {}, run}; }

}  // namespace arbor::app
