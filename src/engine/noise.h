// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/session.h"

// Measures the noise of the unchanged program (A/A pairs), then the gate on itself.
namespace arbor::engine {

// How much calibration may take: it ends early, with at least four pairs, when its time is up.
struct CalibrationPlan {
  int pairs = 20;
  double longest_s = 600;
  bool is_clean = false;  // the baseline is built from a clean checkout, past every cache
};

// kUnusable: the benchmark gives no metric, or the gate's self-test failed; the detail says why.
enum class NoiseEnd { kMeasured, kUnusable, kOutOfTime };
struct NoiseOutcome {
  NoiseEnd end = NoiseEnd::kMeasured;
  std::string detail;
};

// Journals each pair, the self-test and the calibration; goes on where a killed session stopped.
base::Result<NoiseOutcome> measure_noise(Session& session, const CalibrationPlan& plan);

}  // namespace arbor::engine
