// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/manifest.h"
#include "engine/records.h"

namespace arbor::engine {

// The gate tested on this program before it judges: the A/A pairs must say "no change", the same
// pairs with a slow-down planted in the candidate must be reverted, and a planted failure of the
// check must be caught.
SelfTested rehearse_gate(const domain::Manifest& manifest, const Calibrated& calibrated,
                         bool looks_biased);

}  // namespace arbor::engine
