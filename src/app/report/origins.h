// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "domain/action.h"
#include "engine/campaign_state.h"

// Which profile each idea behind a trial was proposed for. A combined trial stands on the trunk of
// its day, but that is not where its parts come from: each has an origin of its own.
namespace arbor::app {

struct Origin {
  std::string title;
  domain::NodeId proposed_at;  // the first node for whose profile it was proposed
  bool operator==(const Origin&) const = default;
};

// Of a plain action one; of a combined one its parts', in order.
std::vector<Origin> origins_of(const engine::CampaignState& state, const domain::Action& action);

// "n0"; "n0, n2" where the parts of a combined action come from several nodes.
std::string proposed_at_text(const std::vector<Origin>& origins);

// "the root's profile", or the one that a kept node was profiled again with, and what it showed.
std::string revealed_by(const engine::CampaignState& state, domain::NodeId proposed_at);

// Adds "proposed_at" (null where there are parts) and "parts" to what is said of a trial.
void add_origins(base::Json& json, const engine::CampaignState& state,
                 const domain::Action& action);

}  // namespace arbor::app
