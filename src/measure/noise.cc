// SPDX-License-Identifier: Apache-2.0
#include "measure/noise.h"

#include <algorithm>
#include <cmath>

#include "measure/statistics.h"

namespace arbor::measure {
namespace {

struct Differences {
  double squares = 0;
  int count = 0;
};

// Disjoint differences of neighbours within a window, so that they are independent.
void add_differences(std::span<const domain::Pair> pairs, Differences& differences) {
  const domain::Pair* previous = nullptr;
  for (const auto& pair : pairs) {
    if (!pair.void_reason.empty() || !pair.trunk.metric || *pair.trunk.metric <= 0) continue;
    if (previous == nullptr || previous->window != pair.window) {
      previous = &pair;
      continue;
    }
    const double d = std::log(*pair.trunk.metric / *previous->trunk.metric);
    differences.squares += d * d;
    ++differences.count;
    previous = nullptr;
  }
}

}  // namespace

NoiseEstimate estimate_noise(const domain::Calibration& calibration,
                             std::span<const domain::Pair> first_stage,
                             std::span<const domain::Pair> confirm) {
  Differences seen;
  add_differences(first_stage, seen);
  add_differences(confirm, seen);
  const int degrees = std::max(1, calibration.pairs - 1);
  const double pooled = (degrees * calibration.s_aa * calibration.s_aa + seen.squares) /
                        static_cast<double>(degrees + seen.count);
  const double floor = calibration.s_aa * deviation_lower_factor(degrees + 1);
  return {std::max(std::sqrt(pooled), floor), degrees + seen.count + 1};
}

}  // namespace arbor::measure
