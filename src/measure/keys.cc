// SPDX-License-Identifier: Apache-2.0
#include "measure/keys.h"

#include <fmt/format.h>

#include <cmath>

#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

constexpr int kFewestPairs = 10;

void withhold(domain::Verdict& verdict, domain::VerdictKind kind, std::string reason,
              const std::string& why) {
  verdict.kind = kind;
  verdict.stage = domain::Stage::kKeys;
  verdict.reason = std::move(reason);
  verdict.detail = why + (verdict.detail.empty() ? "" : ": " + verdict.detail);
}

}  // namespace

Key orchestrator_key(const domain::Verdict& gate_verdict, double delta0) {
  if (gate_verdict.kind != domain::VerdictKind::kKept)
    return {false, fmt::format("the gate's verdict is {}", verdict_name(gate_verdict.kind))};
  if (!gate_verdict.gain) return {false, "there is no interval of the gain"};
  const auto& gain = *gate_verdict.gain;
  if (!(std::isfinite(gain.low) && std::isfinite(gain.high) && gain.low <= gain.estimate &&
        gain.estimate <= gain.high))
    return {false, "the interval of the gain is not in order"};
  if (gain.estimate <= delta0)
    return {false, fmt::format("the gain of {} is not above {}", speedup_text(gain.estimate),
                               speedup_text(delta0))};
  if (gate_verdict.pairs < kFewestPairs)
    return {false, fmt::format("it rests on {} pairs, at least {} are needed", gate_verdict.pairs,
                               kFewestPairs)};
  return {true, ""};
}

domain::Verdict verdict_with_keys(domain::Verdict gate_verdict, const Key& orchestrator,
                                  const Key& critic) {
  if (gate_verdict.kind != domain::VerdictKind::kKept) return gate_verdict;
  if (!orchestrator.is_signed)
    withhold(gate_verdict, domain::VerdictKind::kInconclusive, "not-borne-out",
             "the numbers do not bear it out, " + orchestrator.reason);
  else if (!critic.is_signed)
    withhold(gate_verdict, domain::VerdictKind::kSuspect, "vetoed",
             "the Critic withheld its key, " + critic.reason);
  return gate_verdict;
}

}  // namespace arbor::measure
