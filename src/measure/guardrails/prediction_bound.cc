// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "measure/guardrails/guardrail.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

constexpr double kTooGood = 3;       // × the predicted upper log gain
constexpr double kRemarkable = 1.5;  // smaller speed-ups are never suspect for this
constexpr double kIncredible = 10;   // larger ones always are

class PredictionBound : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (!context.gain) return std::nullopt;
    const double gain = context.gain->estimate;
    if (gain > std::log(kIncredible))
      return Finding{FindingKind::kSuspect, "too-good",
                     fmt::format("a gain of {} is above {:.0f}×", speedup_text(gain), kIncredible)};
    if (context.upper_speedup <= 1 || gain <= std::log(kRemarkable) ||
        gain <= kTooGood * std::log(context.upper_speedup))
      return std::nullopt;
    return Finding{FindingKind::kSuspect, "above-prediction",
                   fmt::format("a gain of {} where at most {} was predicted", speedup_text(gain),
                               speedup_text(std::log(context.upper_speedup)))};
  }
};

ARBOR_REGISTER(Guardrail, "prediction-bound", "Suspects gains far above their prediction",
               PredictionBound);

}  // namespace
}  // namespace arbor::measure
