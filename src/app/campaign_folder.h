// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "app/wiring.h"
#include "engine/orchestrator.h"

// The .arbor folder between campaigns: where the last one goes when a new one starts, and how a
// stopped one is taken up again.
namespace arbor::app {

// A finished campaign is moved to .arbor/archive/N, which is returned; empty where there was none.
// An unfinished one is kUsage (resume it, or --fresh), one whose controller lives is kBusy.
base::Result<std::filesystem::path> make_room_for_campaign(const std::filesystem::path& arbor_dir,
                                                           bool is_fresh);

// Undoes that for a campaign that came to nothing: what began in its place is removed. Nothing may
// have its store open.
base::Result<void> take_back_campaign(const std::filesystem::path& arbor_dir,
                                      const std::filesystem::path& archive);

// The journal's first entry for a new campaign on this workshop's program.
base::Result<engine::CampaignOptions> campaign_options(Workshop& workshop,
                                                       const WorkshopOptions& options,
                                                       bool include_dirty);

// What is no longer as it was when the campaign began, a sentence each, for whoever resumes it.
std::vector<std::string> changed_since(const engine::CampaignStarted& start,
                                       const Workshop& workshop);

// Whether to go without a sandbox is the user's word of today: a journal that came with somebody's
// files must not say it. kUsage where the campaign began otherwise.
base::Result<bool> unsafe_consent(const engine::CampaignStarted& start, const Arguments& arguments);

// Tells why nothing could be measured. Returns the exit code: 4 where the program fails its check.
int fail(const engine::BaselineFailure& failure, Terminal& terminal);

// The state of a stopped campaign, with the resumption journaled. more_s: wall time that is added
// to what was spent, instead of the rest of the old budget.
base::Result<engine::CampaignState> resumed_state(Workshop& workshop, std::optional<double> more_s);

}  // namespace arbor::app
