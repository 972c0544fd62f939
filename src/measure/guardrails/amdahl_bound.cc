// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "measure/guardrails/guardrail.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

// A change that touches the share f of the time saves at most all of it: 1/(1−f). Even the lower
// bound of the gain lying above that means something else happened than what was announced.
class AmdahlBound : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (context.is_whole_program || context.touched_share >= 1 || !context.gain)
      return std::nullopt;
    const double bound = -std::log1p(-std::max(0.0, context.touched_share));
    if (context.gain->low <= bound) return std::nullopt;
    return Finding{
        FindingKind::kSuspect, "above-amdahl",
        fmt::format("a gain of {} is more than the touched {} of the time can yield ({})",
                    speedup_text(context.gain->estimate), percent_text(context.touched_share),
                    speedup_text(bound))};
  }
};

ARBOR_REGISTER(Guardrail, "amdahl-bound", "Suspects gains above what the touched time can yield",
               AmdahlBound);

}  // namespace
}  // namespace arbor::measure
