// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agents/specialists/specialist.h"
#include "app/cli/terminal.h"
#include "app/verbs/verbs.h"
#include "measure/readers/reader.h"

namespace arbor::app {
namespace {

template <typename Interface>
void add_entries(base::Json& json, std::string& text, const char* point) {
  text += fmt::format("{}\n", point);
  json[point] = base::Json::array();
  for (const auto* entry : base::Registry<Interface>::instance().sorted()) {
    json[point].push_back({{"name", entry->name}, {"summary", entry->summary}});
    text += fmt::format("  {:<24}{}\n", entry->name, entry->summary);
  }
}

int run(const Arguments&, Terminal& terminal) {
  base::Json json = {{"schema", "arbor.list/1"}};
  std::string text;
  add_entries<agents::Specialist>(json, text, "specialists");
  add_entries<measure::Reader>(json, text, "readers");
  if (terminal.is_json())
    terminal.print_json(json);
  else
    terminal.print(text);
  return kExitDone;
}

}  // namespace

Verb list_verb() {
  return {"list",
          "Every extension point and what is registered there",
          "arbor list\narbor run --without compiler.pgo",
          {},
          {},
          run};
}

}  // namespace arbor::app
