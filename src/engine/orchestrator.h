// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/baseline.h"
#include "engine/budget.h"
#include "engine/session.h"

namespace arbor::engine {

struct CampaignOptions {
  CampaignStarted start;  // what the journal's first entry will say
  double budget_s = 0;
  std::optional<int> budget_trials;
};

// Where the baseline is at fault the journal's last entry says why. kUndecided: the budget was over
// before a single trial was decided.
enum class CampaignEnd {
  kImproved,
  kNoImprovement,
  kUndecided,
  kBaselineUnusable,
  kBaselineCheckFailed
};

// Runs a campaign to its end, or on from where its journal stops. One loop: ask the search, carry
// out, run the gate, turn both keys, tell the search; after a keep profile again and ask the
// specialists about what the profile now shows.
base::Result<CampaignEnd> run_campaign(Session& session, const CampaignOptions& options);

}  // namespace arbor::engine
