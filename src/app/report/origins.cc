// SPDX-License-Identifier: Apache-2.0
#include "app/report/origins.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

namespace arbor::app {

std::vector<Origin> origins_of(const engine::CampaignState& state, const domain::Action& action) {
  std::vector<Origin> origins;
  const auto add = [&](domain::ActionId id, const std::string& title) {
    const auto idea = state.search->idea(id);
    if (idea) origins.push_back({title.empty() ? idea->action.title : title, idea->proposed_at});
  };
  if (action.parts.empty()) add(action.id, action.title);
  for (const auto part : action.parts) add(part, "");
  return origins;
}

std::string proposed_at_text(const std::vector<Origin>& origins) {
  std::set<domain::NodeId> nodes;
  for (const auto& origin : origins) nodes.insert(origin.proposed_at);
  std::string text;
  for (const auto node : nodes) text += (text.empty() ? "" : ", ") + node.text();
  return text;
}

std::string revealed_by(const engine::CampaignState& state, domain::NodeId proposed_at) {
  if (proposed_at.value == 0) return "the root's profile";
  std::string text = fmt::format("the profile taken again after {} was kept", proposed_at.text());
  for (const auto& profiled : state.profiles) {
    if (profiled.node != proposed_at || profiled.profile.hotspots.empty()) continue;
    const auto& top = profiled.profile.hotspots.front();
    text += fmt::format(" (shift {:.2f}, hottest now {} with {:.0f} %)", profiled.shift, top.symbol,
                        top.share * 100);
  }
  return text;
}

void add_origins(base::Json& json, const engine::CampaignState& state,
                 const domain::Action& action) {
  const auto origins = origins_of(state, action);
  const bool is_plain = action.parts.empty() && !origins.empty();
  json["proposed_at"] =
      is_plain ? base::Json(origins.front().proposed_at.text()) : base::Json(nullptr);
  json["parts"] = base::Json::array();
  if (action.parts.empty()) return;
  for (const auto& origin : origins)
    json["parts"].push_back({{"action", origin.title},
                             {"proposed_at", origin.proposed_at.text()},
                             {"revealed_by", revealed_by(state, origin.proposed_at)}});
}

}  // namespace arbor::app
