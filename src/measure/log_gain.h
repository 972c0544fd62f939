// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "domain/manifest.h"
#include "domain/measurement.h"

// x = ln(better/worse): the one place where a metric's goal turns into a sign.
namespace arbor::measure {

// Empty where a value is not positive or not finite: its logarithm would mean nothing.
std::optional<double> log_gain(domain::Goal goal, double trunk, double candidate);

// Gains of several pairs, and the windows those were measured in, as the statistics take them.
struct Gains {
  std::vector<double> x;
  std::vector<int> windows;
};

// Of the whole process as the parent's clock saw it; pairs without a time are left out.
Gains wall_gains(std::span<const domain::Pair> pairs);

}  // namespace arbor::measure
