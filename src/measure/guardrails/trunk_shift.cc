// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "measure/guardrails/guardrail.h"
#include "measure/statistics.h"

namespace arbor::measure {
namespace {

constexpr std::size_t kLeastSide = 3;  // launches before and after a change
constexpr double kLeastStep = 0.05;    // as a log: less does not matter to anyone
// The largest two-sample t over all splits of 8 to 20 equal values passes this in less than 1 %
// (simulated in the test).
constexpr double kCritical = 5.0;

double squares_about(const std::vector<double>& values, double centre) {
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

struct Split {
  std::size_t at = 0;
  double t = 0;
  double step = 0;
};

// The place where the series is least likely to be one: the largest t of all two-sample splits.
Split strongest_split(const std::vector<double>& series) {
  Split strongest;
  for (std::size_t at = kLeastSide; at + kLeastSide <= series.size(); ++at) {
    const auto middle = series.begin() + static_cast<std::ptrdiff_t>(at);
    const std::vector<double> before(series.begin(), middle), after(middle, series.end());
    const double step = mean(after) - mean(before);
    const double pooled =
        (squares_about(before, mean(before)) + squares_about(after, mean(after))) /
        static_cast<double>(series.size() - 2);
    const double weight =
        1.0 / static_cast<double>(before.size()) + 1.0 / static_cast<double>(after.size());
    const double t = std::abs(step) / std::sqrt(std::max(pooled, 1e-12) * weight);
    if (t > strongest.t) strongest = {at, t, step};
  }
  return strongest;
}

// Pairs cancel a machine that changes its speed in the middle, but whoever reads the figures should
// know; it also tells that the calibration's noise may no longer hold.
class TrunkShift : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    std::vector<double> series;
    std::vector<int> indices;
    for (const auto& pair : context.pairs)
      if (pair.trunk.metric && *pair.trunk.metric > 0) {
        series.push_back(std::log(*pair.trunk.metric));
        indices.push_back(pair.index);
      }
    if (series.size() < 2 * kLeastSide) return std::nullopt;
    const Split split = strongest_split(series);
    if (split.t < kCritical || std::abs(split.step) < kLeastStep) return std::nullopt;
    return Finding{FindingKind::kNote, "trunk-shift",
                   fmt::format("the trunk's own launches changed by {:+.0f} % at pair {}: the "
                               "machine changed its speed",
                               std::expm1(split.step) * 100, indices[split.at])};
  }
};

ARBOR_REGISTER(Guardrail, "trunk-shift", "Notes a lasting change of the trunk's own launches",
               TrunkShift);

}  // namespace
}  // namespace arbor::measure
