// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.h"
#include "measure/guardrails/claimed_time.h"
#include "measure/guardrails/guardrail.h"

namespace arbor::measure {
namespace {

constexpr double kSlack_s = 0.001;

double claim_s(const domain::Launch& launch, double unit_s) {
  return launch.metric.value_or(0) * unit_s;
}
double wall_s(const domain::Launch& launch) { return static_cast<double>(launch.wall_ns) * 1e-9; }

// Nothing inside a process can take longer than the process. A program whose trunk already claims
// more (a sum over threads) is not judged by this.
class TimeClaim : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    const auto unit_s = claimed_unit_s(context.metric, context.pairs);
    if (!unit_s) return std::nullopt;
    for (const auto& pair : context.pairs)
      if (claim_s(pair.trunk, *unit_s) > wall_s(pair.trunk) + kSlack_s) return std::nullopt;
    for (const auto& pair : context.pairs) {
      const double claim = claim_s(pair.candidate, *unit_s), wall = wall_s(pair.candidate);
      if (claim <= wall + kSlack_s) continue;
      return Finding{FindingKind::kSuspect, "time-claim",
                     fmt::format("the candidate claims {} of {} in a run that took {}",
                                 base::format_duration(claim), context.metric.name,
                                 base::format_duration(wall))};
    }
    return std::nullopt;
  }
};

ARBOR_REGISTER(Guardrail, "time-claim", "Suspects a reported time above the parent's clock",
               TimeClaim);

}  // namespace
}  // namespace arbor::measure
