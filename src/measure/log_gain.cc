// SPDX-License-Identifier: Apache-2.0
#include "measure/log_gain.h"

#include <cmath>

namespace arbor::measure {

std::optional<double> log_gain(domain::Goal goal, double trunk, double candidate) {
  if (!(std::isfinite(trunk) && std::isfinite(candidate) && trunk > 0 && candidate > 0))
    return std::nullopt;
  const double x = std::log(candidate / trunk);
  return goal == domain::Goal::kMaximise ? x : -x;
}

Gains wall_gains(std::span<const domain::Pair> pairs) {
  Gains gains;
  for (const auto& pair : pairs) {
    const auto x = log_gain(domain::Goal::kMinimise, static_cast<double>(pair.trunk.wall_ns),
                            static_cast<double>(pair.candidate.wall_ns));
    if (!x) continue;
    gains.x.push_back(*x);
    gains.windows.push_back(pair.window);
  }
  return gains;
}

}  // namespace arbor::measure
