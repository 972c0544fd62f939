// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/noise.h"

// The first steps of a campaign: build and check the baseline, test the gate on itself, calibrate
// the noise. Each result is journaled; a resumed session repeats only what is missing.
namespace arbor::engine {

// Why nothing can be tried. kProgram: it does not build, yields no metric, or the gate's self-test
// saw through nothing; kCheck: it fails its own check; kOutOfTime: the budget was over before.
struct BaselineFailure {
  enum class Cause { kWorld, kProgram, kCheck, kOutOfTime };
  base::Error error;
  Cause cause = Cause::kWorld;
};

std::expected<void, BaselineFailure> prepare_baseline(Session& session,
                                                      const CalibrationPlan& plan);

// After something wrote into the judge's files: the baseline from a clean checkout again.
base::Result<void> restore_judge(Session& session);

}  // namespace arbor::engine
