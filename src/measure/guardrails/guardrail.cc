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
  // By insertion, so that equals stay sorted by name.
  std::vector<Finding> sorted;
  for (auto& finding : all) {
    const auto place = std::find_if(sorted.begin(), sorted.end(), [&](const Finding& other) {
      return other.kind < finding.kind;
    });
    sorted.insert(place, std::move(finding));
  }
  return sorted;
}

}  // namespace arbor::measure
