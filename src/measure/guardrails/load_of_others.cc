// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "measure/guardrails/guardrail.h"

namespace arbor::measure {

double bearable_load(int machine_cpus) {
  constexpr double kBusyCpus = 0.5;    // on a small machine
  constexpr double kBusyShare = 0.05;  // of a large one's CPUs, where half a CPU disturbs nobody
  return std::max(kBusyCpus, kBusyShare * machine_cpus);
}

namespace {

// The arms' own load is already taken out, so no arm can void its own pair and with it a result it
// would not like.
class LoadOfOthers : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kDuring; }
  std::optional<Finding> check(const GuardContext& context) const override {
    const double limit = bearable_load(context.machine_cpus);
    if (!context.load_of_others || *context.load_of_others <= limit) return std::nullopt;
    return Finding{FindingKind::kVoidPair, "load-of-others",
                   fmt::format("other processes kept {:.1f} CPUs busy (limit {:.1f})",
                               *context.load_of_others, limit)};
  }
};

ARBOR_REGISTER(Guardrail, "load-of-others", "Voids pairs during which other processes were busy",
               LoadOfOthers);

}  // namespace
}  // namespace arbor::measure
