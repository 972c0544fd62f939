// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session.h"

// The first steps of a campaign: build and check the baseline, test the gate on itself, calibrate
// the noise, profile. Each result is journaled; a resumed session repeats only what is missing.
namespace arbor::engine {

// Errors besides the world's: kUsage with a message for the user where the baseline does not build,
// fails its own check or yields no metric. is_check_failure tells exit code 4 from the others.
struct BaselineFailure {
  base::Error error;
  bool is_check_failure = false;
};

// How much calibration may take: it ends early, with at least four pairs, when its time is up.
struct CalibrationPlan {
  int pairs = 20;
  double longest_s = 600;
  bool is_clean = false;  // the baseline is built from a clean checkout, past every cache
};

std::expected<void, BaselineFailure> prepare_baseline(Session& session,
                                                      const CalibrationPlan& plan);

// After something wrote into the judge's files: the baseline from a clean checkout again.
base::Result<void> restore_judge(Session& session);

// Profiles the trunk and journals the profile for its node.
base::Result<void> profile_trunk(Session& session);

}  // namespace arbor::engine
