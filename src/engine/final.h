// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/budget.h"
#include "engine/session.h"

namespace arbor::engine {

// Time that is kept for the final measurement from the start; no trial begins that would eat it.
// The comparison with a conventionally tuned build belongs to it where a fifth of the budget pays
// it.
double final_reserve_s(const Session& session, const Budget& budget);

// The headline: the trunk against the original baseline, n fixed before it begins, and, where time
// is left, against a conventionally tuned build (the best of -O3, native and LTO that passes the
// check), so that the gain is not a comparison with nothing. Journals every pair and the result.
// Nothing kept = nothing to measure: no record.
base::Result<void> measure_final(Session& session, const Budget& budget);

}  // namespace arbor::engine
