// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session.h"

// The gate tested on this program before it judges.
namespace arbor::engine {

// The A/A pairs must say "no change", and with a slow-down added to them they must be reverted.
SelfTested rehearse_on_pairs(const Calibrated& calibrated, bool looks_biased);

// The same, and then the faults of planted_faults.h, run for real. longest_s: what one slow pair
// may take; a longer benchmark has its slow-down planted in the figures only, and the detail says
// so. --without planted-slow-down and --without planted-wrong-output switch a plant off.
base::Result<SelfTested> rehearse_gate(Session& session, const Calibrated& calibrated,
                                       bool looks_biased, double longest_s);

}  // namespace arbor::engine
