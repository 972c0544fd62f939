// SPDX-License-Identifier: Apache-2.0
#include "measure/guardrails/guardrail.h"

#include <algorithm>

namespace arbor::measure {

std::vector<Finding> findings(GuardPhase phase, const GuardContext& context,
                              std::span<const std::string> without) {
  std::vector<Finding> all;
  for (const auto* entry : base::Registry<Guardrail>::instance().sorted()) {
    if (std::find(without.begin(), without.end(), entry->name) != without.end()) continue;
    const auto guardrail = entry->create();
    if (guardrail->phase() != phase) continue;
    if (auto finding = guardrail->check(context)) all.push_back(std::move(*finding));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Finding& a, const Finding& b) { return a.kind > b.kind; });
  return all;
}

}  // namespace arbor::measure
