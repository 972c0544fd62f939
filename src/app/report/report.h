// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "domain/manifest.h"
#include "engine/campaign_state.h"

// What a campaign found, for people and for scripts. Unknown is null, never zero.
namespace arbor::app {

// Schema arbor.report/1; docs/formats/report.md names every field.
base::Json report_json(const engine::CampaignState& state, const domain::Manifest& manifest);

std::string report_markdown(const engine::CampaignState& state, const domain::Manifest& manifest);

// Of the trials that came to measuring, by the error rate of both stages of the gate.
double expected_false_keeps(const engine::CampaignState& state);

// A log gain as factors, {"estimate", "low", "high"}; null where there is none.
base::Json speedup_json(const std::optional<domain::Interval>& log_gain);

// {"passed", "detail"}; null before it was made.
base::Json self_test_json(const engine::CampaignState& state);

// Why a campaign ended, in words, of the journal's reason.
std::string stop_text(const std::string& reason);

// "1.31× [1.26, 1.37]"; "not measured" where there is no interval.
std::string speedup_text(const std::optional<domain::Interval>& log_gain);

// "kept  compiler  -O3 for every file  1.31× [1.26, 1.37]  6+6 pairs": a line per verdict.
std::string story_line(const engine::Trial& trial);

}  // namespace arbor::app
