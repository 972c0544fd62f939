// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/measurement.h"

// s_AA as it is now, not as it was at calibration. The trunk's launches of one window ran shortly
// after one another on equal input, so the difference of two consecutive ones, d = ln y₂ − ln y₁,
// scatters as x does between equal arms. Both are pooled by their degrees of freedom:
//   s² = (ν·s₀² + Σ d²) / (ν + m),  ν = calibration pairs − 1,  m differences
// and never taken below the lower 90 % bound of the calibration: a calm minute must not tighten the
// test; a machine that has truly become quieter is calibrated anew. The candidate's launches have
// no part in it, so a candidate cannot choose its own yardstick.
namespace arbor::measure {

struct NoiseEstimate {
  double s_aa = 0;
  int values = 2;  // worth this many A/A pairs
};

NoiseEstimate estimate_noise(const domain::Calibration& calibration,
                             std::span<const domain::Pair> first_stage,
                             std::span<const domain::Pair> confirm);

}  // namespace arbor::measure
