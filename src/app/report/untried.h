// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engine/campaign_state.h"

namespace arbor::app {

// An idea that no trial carried, alone or with others, and why.
struct Untried {
  domain::Action action;
  domain::NodeId proposed_at;
  std::string why;
};

// Best score first.
std::vector<Untried> untried_ideas(const engine::CampaignState& state);

// What a reader should know of how the campaign was measured: notes of its start, of the baseline
// and its profile, and what guardrails noted in trials without objecting.
std::vector<std::string> notes_of(const engine::CampaignState& state);

}  // namespace arbor::app
