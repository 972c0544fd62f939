// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/orchestrator.h"
#include "engine/trial.h"

namespace arbor::studies {

struct TryResult {
  domain::Verdict verdict;
  engine::TrialEnded end;
  engine::TrialOutcome outcome;
};

// The whole gate on a change that the user brings: baseline, self-test, calibration, then one
// trial. The session's store need not last.
std::expected<TryResult, engine::BaselineFailure> try_change(engine::Session& session,
                                                             const engine::CampaignOptions& options,
                                                             const domain::Change& change);

}  // namespace arbor::studies
