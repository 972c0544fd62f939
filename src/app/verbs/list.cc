// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agents/specialists/specialist.h"
#include "app/cli/terminal.h"
#include "app/verbs/verbs.h"
#include "base/text.h"
#include "engine/planted_faults.h"
#include "measure/guardrails/guardrail.h"
#include "measure/readers/reader.h"
#include "ports/store/store.h"

namespace arbor::app {
namespace {

struct Named {
  std::string name, summary;
};

// One extension point: what is registered there, or chosen from by name.
struct Kind {
  std::string name;
  std::vector<Named> entries;
};

template <typename Interface>
Kind registered(const char* name) {
  Kind kind{name, {}};
  for (const auto* entry : base::Registry<Interface>::instance().sorted())
    kind.entries.push_back({entry->name, entry->summary});
  return kind;
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds = {registered<agents::Specialist>("specialists"),
                             registered<measure::Guardrail>("guardrails"),
                             {"plants", {}},
                             registered<measure::Reader>("readers")};
  for (const auto& plant : engine::kPlants) kinds[2].entries.push_back({plant.name, plant.summary});
  // These are ladders and no registries: ports/*/open.cc climbs them.
  kinds.push_back({"profilers",
                   {{"auto", "perf where it works, else none"},
                    {"perf", "Samples of the CPU clock in user space, by perf"},
                    {"none", "No hotspots: knobs, flags and settings are tried all the same"}}});
  kinds.push_back({"sandboxes",
                   {{"bubblewrap", "Namespaces, a read-only system and limits, by bwrap"},
                    {"none", "Plain processes, only with --unsafe and where bubblewrap fails"}}});
  kinds.push_back(registered<ports::StoreKind>("stores"));
  return kinds;
}

base::Result<std::vector<Kind>> chosen_kinds(const Arguments& arguments) {
  auto kinds = all_kinds();
  if (arguments.positionals.empty()) return kinds;
  const auto& wanted = arguments.positionals.front();
  std::vector<std::string> names;
  for (const auto& kind : kinds) names.push_back(kind.name);
  std::erase_if(kinds, [&](const Kind& kind) {
    return kind.name != wanted && kind.name != wanted + "s" && kind.name != wanted + "es";
  });
  if (!kinds.empty()) return kinds;
  const auto meant = base::nearest(wanted, names);
  return base::fail(
      base::ErrorKind::kUsage,
      fmt::format("there is nothing called '{}' to list{}; there are {}", base::printable(wanted),
                  meant ? fmt::format(", did you mean '{}'?", *meant) : "",
                  base::join(names, ", ")));
}

int run(const Arguments& arguments, Terminal& terminal) {
  const auto kinds = chosen_kinds(arguments);
  if (!kinds) return terminal.fail(kinds.error());
  base::Json json = {{"schema", "arbor.list/1"}};
  std::string text;
  for (const auto& kind : *kinds) {
    text += kind.name + "\n";
    json[kind.name] = base::Json::array();
    for (const auto& entry : kind.entries) {
      json[kind.name].push_back({{"name", entry.name}, {"summary", entry.summary}});
      text += fmt::format("  {:<24}{}\n", entry.name, entry.summary);
    }
  }
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
          "arbor list\narbor list guardrails\narbor run --without compiler.pgo",
          {},
          {{"KIND", "specialists, guardrails, plants, readers, profilers, sandboxes or stores",
            false, false}},
          run};
}

}  // namespace arbor::app
