// SPDX-License-Identifier: Apache-2.0
#include "domain/measurement.h"

#include <cmath>

namespace arbor::domain {

Interval speedup_of(const Interval& log_gain) {
  return {std::exp(log_gain.estimate), std::exp(log_gain.low), std::exp(log_gain.high)};
}

}  // namespace arbor::domain
