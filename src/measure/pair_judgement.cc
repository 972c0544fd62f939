// SPDX-License-Identifier: Apache-2.0
#include "measure/pair_judgement.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace arbor::measure {
namespace {
std::string exit_text(int exit_code) {
  return exit_code > 128 ? fmt::format("was killed by signal {}", exit_code - 128)
                         : fmt::format("exited with {}", exit_code);
}

std::string why(const domain::Launch& launch, std::string_view otherwise) {
  return launch.failure.empty() ? std::string(otherwise) : launch.failure;
}
}  // namespace

PairJudgement judge_pair(const domain::Pair& pair) {
  if (!pair.void_reason.empty()) return {PairOutcome::kVoid, pair.void_reason};
  const auto& trunk = pair.trunk;
  const auto& candidate = pair.candidate;
  if (trunk.is_cut) return {PairOutcome::kVoid, "the trunk's own launch reached its time limit"};
  if (!trunk.metric)
    return {PairOutcome::kVoid,
            "the trunk's own launch gave no metric: " + why(trunk, exit_text(trunk.exit_code))};
  if (candidate.is_cut)
    return {PairOutcome::kCandidateSlow,
            fmt::format("stopped after {} where the trunk took {}",
                        base::format_duration(static_cast<double>(candidate.wall_ns) * 1e-9),
                        base::format_duration(static_cast<double>(trunk.wall_ns) * 1e-9))};
  if (candidate.exit_code != 0 && candidate.exit_code != trunk.exit_code)
    return {PairOutcome::kCandidateCrashed,
            fmt::format("the candidate {} where the trunk {}{}", exit_text(candidate.exit_code),
                        exit_text(trunk.exit_code),
                        candidate.failure.empty() ? "" : ": " + candidate.failure)};
  if (!candidate.metric || !pair.x || !std::isfinite(*pair.x))
    return {PairOutcome::kCandidateSilent, why(candidate, "its metric is missing")};
  return {PairOutcome::kCounts, ""};
}

Gains counted_gains(const std::vector<domain::Pair>& pairs) {
  Gains gains;
  for (const auto& pair : pairs) {
    if (judge_pair(pair).outcome != PairOutcome::kCounts) continue;
    gains.x.push_back(*pair.x);
    gains.windows.push_back(pair.window);
  }
  return gains;
}

}  // namespace arbor::measure
