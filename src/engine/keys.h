// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session.h"
#include "engine/trial.h"

namespace arbor::engine {

// Fills in verdict, keys, annotation and constraints of a trial that the gate has judged. A keep
// needs both signatures: the Orchestrator's on the numbers, the Critic's on their integrity.
void judge_keys(const Session& session, const domain::Action& action, const TrialOutcome& outcome,
                TrialEnded& end);

}  // namespace arbor::engine
