// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"
#include "app/config/manifest_file.h"
#include "app/verbs/verbs.h"

namespace arbor::app {
namespace {

int run(const Arguments&, Terminal& terminal) {
  terminal.print(manifest_schema_json() + "\n");
  return kExitDone;
}

}  // namespace

Verb schema_verb() {
  return {"schema", "The JSON Schema of arbor.toml", "arbor schema > arbor.schema.json", {}, {},
          run};
}

}  // namespace arbor::app
