// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/guardrails/guardrail.h"

namespace arbor::measure {
namespace {

// A guard that a program prints itself and that may not be worse by anything is a counter of work
// done (requests served, rows written): both arms of a pair had the same input, so it is equal.
bool is_counter(const domain::Metric& guard) {
  return guard.worse_by_max == 0 && (guard.reader == "regex" || guard.reader == "json");
}

class WorkEquality : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kDuring; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (context.pair == nullptr || !context.pair->x) return std::nullopt;
    const auto& trunk = context.pair->trunk.guards;
    const auto& candidate = context.pair->candidate.guards;
    for (std::size_t i = 0; i < context.guards.size(); ++i) {
      if (!is_counter(context.guards[i]) || i >= trunk.size() || !trunk[i]) continue;
      if (i < candidate.size() && candidate[i] && *candidate[i] == *trunk[i]) continue;
      const bool is_missing = i >= candidate.size() || !candidate[i];
      return Finding{
          FindingKind::kReject, "work-differs",
          fmt::format("{} was {} in the trunk and {} in the candidate", context.guards[i].name,
                      *trunk[i], is_missing ? "missing" : fmt::format("{}", *candidate[i]))};
    }
    return std::nullopt;
  }
};

ARBOR_REGISTER(Guardrail, "work-equality", "Rejects a candidate whose work counters differ",
               WorkEquality);

}  // namespace
}  // namespace arbor::measure
