// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/text.h"
#include "measure/guardrails/claimed_time.h"
#include "measure/guardrails/guardrail.h"
#include "measure/statistics.h"

namespace arbor::measure {
namespace {

constexpr double kLeastShareSeen = 0.5;

// Time that a program claims to have saved inside must be missing from the whole run as well. The
// claim is refuted where even the upper bound of what the parent saw saved is below half of it: a
// forged line, a patched clock, or work moved outside the timed part.
class ClockAgreement : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    const auto unit_s = claimed_unit_s(context.metric, context.pairs);
    if (!unit_s || context.pairs.size() < 4) return std::nullopt;
    std::vector<double> claimed, unseen;
    std::vector<int> windows;
    for (const auto& pair : context.pairs) {
      if (!pair.trunk.metric || !pair.candidate.metric) return std::nullopt;
      claimed.push_back((*pair.trunk.metric - *pair.candidate.metric) * *unit_s);
      const double seen = static_cast<double>(pair.trunk.wall_ns - pair.candidate.wall_ns) * 1e-9;
      unseen.push_back(kLeastShareSeen * claimed.back() - seen);
      windows.push_back(pair.window);
    }
    if (interval_of_mean(unseen, windows).low <= 0 || mean(claimed) <= 0) return std::nullopt;
    const double seen = kLeastShareSeen * mean(claimed) - mean(unseen);
    const std::string saved = seen >= 0 ? "shortened by " + base::format_duration(seen)
                                        : "lengthened by " + base::format_duration(-seen);
    return Finding{context.is_inner ? FindingKind::kNote : FindingKind::kSuspect, "clock-disagrees",
                   fmt::format("the candidate reports {} less {}, while its whole run {}",
                               base::format_duration(mean(claimed)), context.metric.name, saved)};
  }
};

ARBOR_REGISTER(Guardrail, "clock-agreement",
               "Suspects reported savings that the whole run does not show", ClockAgreement);

}  // namespace
}  // namespace arbor::measure
