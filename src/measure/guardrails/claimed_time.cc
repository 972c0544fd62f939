// SPDX-License-Identifier: Apache-2.0
#include "measure/guardrails/claimed_time.h"

#include <algorithm>
#include <string_view>

namespace arbor::measure {
namespace {

struct Unit {
  std::string_view suffix;
  double seconds;
};
constexpr Unit kUnits[] = {{"_ns", 1e-9}, {"_us", 1e-6}, {"_ms", 1e-3},
                           {"_s", 1},     {"_sec", 1},   {"_seconds", 1}};
constexpr double kLeastShare = 0.5;  // of the wall time, to be taken for it by size
constexpr double kSlack = 1.001;

bool fits(double unit_s, std::span<const domain::Pair> pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [&](const domain::Pair& pair) {
    if (!pair.trunk.metric || pair.trunk.wall_ns <= 0) return false;
    const double share =
        *pair.trunk.metric * unit_s / (static_cast<double>(pair.trunk.wall_ns) * 1e-9);
    return share >= kLeastShare && share <= kSlack;
  });
}

}  // namespace

std::optional<double> claimed_unit_s(const domain::Metric& metric,
                                     std::span<const domain::Pair> pairs) {
  const bool is_printed = metric.reader == "regex" || metric.reader == "json";
  if (!is_printed || metric.goal != domain::Goal::kMinimise || pairs.empty()) return std::nullopt;
  const std::string_view name = metric.name;
  const bool is_rate = name.find("per_") != std::string_view::npos;
  for (const auto& unit : kUnits)
    if (!is_rate && name.ends_with(unit.suffix)) return unit.seconds;
  for (const double unit_s : {1.0, 1e-3, 1e-6, 1e-9})
    if (fits(unit_s, pairs)) return unit_s;
  return std::nullopt;
}

}  // namespace arbor::measure
