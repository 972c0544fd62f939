// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "measure/guardrails/guardrail.h"
#include "measure/log_gain.h"
#include "measure/statistics.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

// ln gain at which a guard is as bad as it may be.
double tolerated(const domain::Metric& guard) {
  if (guard.goal == domain::Goal::kMinimise) return -std::log1p(guard.worse_by_max);
  return guard.worse_by_max < 1 ? std::log1p(-guard.worse_by_max)
                                : -std::numeric_limits<double>::infinity();
}

// Counters such as failed requests may be 0, which has no logarithm: equal is no change, and from
// or to 0 counts as a tenfold one.
double guard_gain(const domain::Metric& guard, double trunk, double candidate) {
  if (const auto x = log_gain(guard.goal, trunk, candidate)) return *x;
  if (trunk == candidate) return 0;
  const bool is_better = (guard.goal == domain::Goal::kMinimise) == (candidate < trunk);
  return is_better ? std::log(10.0) : -std::log(10.0);
}

// All guards must be shown non-inferior on the confirm pairs: the lower one-sided 95 % bound of
// each guard's gain lies above what the manifest tolerates.
class GuardMetrics : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (!context.is_confirm || context.pairs.size() < 2) return std::nullopt;
    std::optional<Finding> worst;
    for (std::size_t i = 0; i < context.guards.size(); ++i) {
      auto finding = judge(context, i);
      if (finding && (!worst || finding->kind > worst->kind)) worst = std::move(finding);
    }
    return worst;
  }

 private:
  static std::optional<Finding> judge(const GuardContext& context, std::size_t i) {
    const domain::Metric& guard = context.guards[i];
    std::vector<double> x;
    std::vector<int> windows;
    for (const auto& pair : context.pairs) {
      const bool has_trunk = i < pair.trunk.guards.size() && pair.trunk.guards[i];
      if (!has_trunk)
        return Finding{FindingKind::kInconclusive, "guard-unproven",
                       fmt::format("guard {} is missing in a launch of the trunk", guard.name)};
      if (i >= pair.candidate.guards.size() || !pair.candidate.guards[i])
        return Finding{FindingKind::kReject, "no-metric",
                       fmt::format("guard {} is missing in a launch of the candidate", guard.name)};
      x.push_back(guard_gain(guard, *pair.trunk.guards[i], *pair.candidate.guards[i]));
      windows.push_back(pair.window);
    }
    const MeanError error = error_of_mean(x, windows);
    const double half = t_quantile(0.95, error.degrees) * error.standard_error;
    if (error.mean - half >= tolerated(guard)) return std::nullopt;
    const bool is_worse = error.mean + half < tolerated(guard);
    return Finding{is_worse ? FindingKind::kRevert : FindingKind::kInconclusive,
                   is_worse ? "guard-worse" : "guard-unproven",
                   fmt::format("guard {} is at {} (could be {}), at worst {} is tolerated",
                               guard.name, speedup_text(error.mean),
                               speedup_text(error.mean - half), speedup_text(tolerated(guard)))};
  }
};

ARBOR_REGISTER(Guardrail, "guard-metrics", "Demands that every guard is shown not to be worse",
               GuardMetrics);

}  // namespace
}  // namespace arbor::measure
