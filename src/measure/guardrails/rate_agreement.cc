// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "measure/guardrails/claimed_time.h"
#include "measure/guardrails/guardrail.h"
#include "measure/log_gain.h"
#include "measure/statistics.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

constexpr double kLeastShareSeen = 0.5;

constexpr double kShareThatShows = 0.1;  // of the wall time

// A time is held to the seconds that the whole run saves, which is sharper; but one of microseconds
// would drown in the noise of the run, and is held to its ratio like a rate.
bool is_time_that_shows(const GuardContext& context) {
  const auto unit_s = claimed_unit_s(context.metric, context.pairs);
  if (!unit_s) return false;
  return std::ranges::all_of(context.pairs, [&](const domain::Pair& pair) {
    return pair.trunk.metric.value_or(0) * *unit_s >=
           kShareThatShows * static_cast<double>(pair.trunk.wall_ns) * 1e-9;
  });
}

// A rate or counter that the edited program prints of itself is its own word: work that is done
// faster shows in the time of the whole run. The claim is refuted where even the upper bound of
// what the parent saw is below half of it. A run of fixed length shows nothing of it either; there
// a driver from the baseline has to count, or the user has to say that the metric is inner.
class RateAgreement : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    const bool is_printed = context.metric.reader == "regex" || context.metric.reader == "json";
    if (!is_printed || !context.is_own_word || context.pairs.size() < 4) return std::nullopt;
    if (is_time_that_shows(context)) return std::nullopt;
    std::vector<double> claimed, seen, unseen;
    std::vector<int> windows;
    for (const auto& pair : context.pairs) {
      const auto wall_x = log_gain(domain::Goal::kMinimise, static_cast<double>(pair.trunk.wall_ns),
                                   static_cast<double>(pair.candidate.wall_ns));
      if (!pair.x || !wall_x) return std::nullopt;
      claimed.push_back(*pair.x);
      seen.push_back(*wall_x);
      unseen.push_back(kLeastShareSeen * claimed.back() - seen.back());
      windows.push_back(pair.window);
    }
    if (mean(claimed) <= 0 || interval_of_mean(unseen, windows).low <= 0) return std::nullopt;
    return Finding{
        context.is_inner ? FindingKind::kNote : FindingKind::kSuspect, "rate-disagrees",
        fmt::format(
            "the edited program prints {} of {}, while its whole run is at {}; where the metric "
            "is a small part of the run on purpose, say inner = true in [bench]",
            context.metric.name, speedup_text(mean(claimed)), speedup_text(mean(seen)))};
  }
};

ARBOR_REGISTER(Guardrail, "rate-agreement",
               "Suspects rates of an edited program that the whole run does not show",
               RateAgreement);

}  // namespace
}  // namespace arbor::measure
