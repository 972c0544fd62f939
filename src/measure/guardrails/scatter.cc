// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "measure/guardrails/guardrail.h"
#include "measure/statistics.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

constexpr std::size_t kFewestRuns = 5;
constexpr double kSwing = 0.30;      // (max − min) / median
constexpr double kVariation = 0.15;  // deviation / mean

std::string scatter_of(const GuardContext& context, domain::Launch domain::Pair::* arm,
                       std::string_view name) {
  std::vector<double> values;
  for (const auto& pair : context.pairs)
    if (const auto& metric = (pair.*arm).metric) values.push_back(*metric);
  if (values.size() < kFewestRuns) return "";
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double swing = (*high - *low) / median(values);
  const double variation = standard_deviation(values) / mean(values);
  if (swing <= kSwing && variation <= kVariation) return "";
  return fmt::format("{} of the {} swings by {} (coefficient of variation {})", context.metric.name,
                     name, percent_text(swing), percent_text(variation));
}

class Scatter : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    const std::string trunk = scatter_of(context, &domain::Pair::trunk, "trunk");
    const std::string candidate = scatter_of(context, &domain::Pair::candidate, "candidate");
    if (trunk.empty() && candidate.empty()) return std::nullopt;
    return Finding{FindingKind::kNote, "scatter",
                   trunk + (trunk.empty() || candidate.empty() ? "" : "; ") + candidate};
  }
};

ARBOR_REGISTER(Guardrail, "scatter", "Notes an arm whose launches swing widely", Scatter);

}  // namespace
}  // namespace arbor::measure
