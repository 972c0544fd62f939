// SPDX-License-Identifier: Apache-2.0
#include "domain/action.h"

#include <algorithm>
#include <cmath>

namespace arbor::domain {

double expected_log_gain(const Prediction& prediction) {
  const double f = std::clamp(prediction.touched_share, 0.0, 1.0);
  const double s = std::max(prediction.local_speedup, 1e-3);
  const double left = 1.0 - f * (1.0 - 1.0 / s);
  return -std::log(std::max(left, 1e-6));
}

std::string action_key(const Action& action) {
  return action.strategy + "\n" + action.target + "\n" + action.parameters;
}

}  // namespace arbor::domain
