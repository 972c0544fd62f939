// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/guardrails/guardrail.h"
#include "measure/log_gain.h"
#include "measure/statistics.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

// Huge pages once made a program's own kernel timer 1.24× faster and the program 0.70× in all.
class InnerGain : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (context.metric.reader == "wall" || !context.gain || context.gain->estimate <= 0)
      return std::nullopt;
    const auto whole = wall_gains(context.pairs);
    if (whole.x.empty()) return std::nullopt;
    const auto seen = interval_of_mean(whole.x, whole.windows);
    // A mean below the limit may be noise; a loss is one that even its upper bound shows.
    if (seen.estimate >= -context.worthwhile_gain || seen.high >= 0) return std::nullopt;
    const std::string detail =
        fmt::format("{} improves to {}, the whole process falls to {}", context.metric.name,
                    speedup_text(context.gain->estimate), speedup_text(seen.estimate));
    return Finding{context.is_inner ? FindingKind::kNote : FindingKind::kSuspect, "inner-gain-only",
                   detail};
  }
};

ARBOR_REGISTER(Guardrail, "inner-gain", "Suspects an inner gain that makes the whole run slower",
               InnerGain);

}  // namespace
}  // namespace arbor::measure
