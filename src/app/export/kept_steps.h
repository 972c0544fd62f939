// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/wiring.h"
#include "workspace/export.h"

// What a campaign has kept, as steps from the baseline to the trunk.
namespace arbor::app {

struct KeptStep {
  const engine::Trial* trial = nullptr;  // of the campaign's state
  std::string commit;  // of the exported series; empty: the step changes no source
};

// The trunk's path, oldest first: a kept node that was rolled back is not on it.
std::vector<const engine::Trial*> kept_trials(const engine::CampaignState& state);

// Writes the series' commits, one a step that changes sources, into Arbor's own repository: each is
// a child of the one before, the first of the baseline; its message says the measured gain.
base::Result<std::vector<KeptStep>> commit_kept_steps(const workspace::Repository& repository,
                                                      const engine::CampaignState& state);

// The same for workspace::export_series, with the whole recipe.
workspace::SeriesOrder series_order(const Campaign& campaign, const std::vector<KeptStep>& steps);

// Parts of the recipe that no exported file expresses, a sentence each.
std::vector<std::string> steps_by_hand(const domain::Recipe& recipe,
                                       const domain::Manifest& manifest);

}  // namespace arbor::app
