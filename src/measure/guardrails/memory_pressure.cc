// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/guardrails/guardrail.h"

namespace arbor::measure {
namespace {

constexpr double kMostStalled = 0.05;  // of the pair's time; a machine that does not swap shows 0

// Stalls of the arms themselves are already taken out: a candidate at its own memory limit must not
// void its pairs.
class MemoryPressure : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kDuring; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (!context.memory_stall_of_others || *context.memory_stall_of_others <= kMostStalled)
      return std::nullopt;
    return Finding{FindingKind::kVoidPair, "memory-pressure",
                   fmt::format("other processes waited for memory during {:.0f} % of the pair "
                               "(limit {:.0f} %)",
                               *context.memory_stall_of_others * 100, kMostStalled * 100)};
  }
};

ARBOR_REGISTER(Guardrail, "memory-pressure",
               "Voids pairs during which the machine was short of memory", MemoryPressure);

}  // namespace
}  // namespace arbor::measure
