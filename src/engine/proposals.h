// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/session.h"

// The specialists at work on the trunk: what they propose for its profile, and a change carried
// out.
namespace arbor::engine {

// Whether somebody other than the candidate says how far numbers may move: a score, tolerances on
// every output, or a judge of the baseline's (a declared harness; the self-test saw that it fails
// programs which do nothing). A program that only judges itself would do so with the same rounding.
bool allows_rounding(const domain::CheckSection& check);

// Asks every worker and journals what they propose for the trunk's node.
base::Result<void> propose_for_trunk(Session& session);

// The change of a choice; a combined action composes its parts' changes in order. A specialist that
// cannot carry its idea out any more (the source moved on) fails with kNotFound.
base::Result<domain::Change> carry_out(Session& session, const domain::Action& action);

}  // namespace arbor::engine
