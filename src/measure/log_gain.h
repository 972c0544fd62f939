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

// Gain of the whole process as the parent's clock saw it, per pair; pairs without a time are left
// out, and so are their windows.
struct WallGains {
  std::vector<double> x;
  std::vector<int> windows;
};
WallGains wall_gains(std::span<const domain::Pair> pairs);

}  // namespace arbor::measure
