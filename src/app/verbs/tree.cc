// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "search/tree_text.h"

namespace arbor::app {
namespace {

base::Json node_json(const search::Node& node) {
  base::Json json = {
      {"node", node.id.text()},
      {"parent", node.parent.is_valid() ? base::Json(node.parent.text()) : base::Json(nullptr)},
      {"commit", node.commit},
      {"verdict", nullptr},
      {"gain", nullptr}};
  if (node.verdict) {
    json["verdict"] = domain::verdict_name(node.verdict->kind);
    json["detail"] = node.verdict->detail;
    if (const auto& gain = node.verdict->gain)
      json["gain"] = {
          {"estimate", gain->estimate}, {"low", gain->low}, {"high", gain->high}, {"unit", "ln"}};
  }
  return json;
}

int show(const Campaign& campaign, Terminal& terminal) {
  const auto* search = campaign.state.search.get();
  if (terminal.is_json()) {
    base::Json json = {{"schema", "arbor.tree/1"}, {"nodes", base::Json::array()}};
    if (search != nullptr)
      for (const auto& node : search->nodes()) json["nodes"].push_back(node_json(node));
    terminal.print_json(json);
    return kExitDone;
  }
  if (search == nullptr || search->nodes().empty()) {
    terminal.print("No node yet: the baseline is still being prepared.\n");
    return kExitDone;
  }
  search::TreeTextOptions options;
  options.width = static_cast<std::size_t>(terminal.setup().width);
  options.is_coloured = terminal.setup().has_color;
  terminal.print(search::tree_text(*search, options));
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  return on_campaign(arguments, terminal,
                     [&](const Campaign& campaign) { return show(campaign, terminal); });
}

}  // namespace

Verb tree_verb() {
  return {"tree", "The search tree with verdicts, gains and intervals", "arbor tree", {}, {}, run};
}

}  // namespace arbor::app
