// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/json.h"
#include "domain/manifest.h"
#include "engine/campaign_state.h"

// The root of the tree, n0: the unchanged program, and how well this machine can measure it. What a
// campaign that was cut off has not come to yet is left out; in JSON it is null.
namespace arbor::app {

std::string baseline_text(const engine::CampaignState& state, const domain::Manifest& manifest);
base::Json baseline_json(const engine::CampaignState& state, const domain::Manifest& manifest);

}  // namespace arbor::app
