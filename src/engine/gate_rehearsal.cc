// SPDX-License-Identifier: Apache-2.0
#include "engine/gate_rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "measure/accuracy.h"
#include "measure/gate.h"

namespace arbor::engine {
namespace {

// Runs a gate whose pairs are the calibration's own, each with the planted log gain added.
domain::Verdict judged(const Calibrated& calibrated, double planted) {
  measure::GateOptions options;
  options.changes_build = false;
  measure::Gate gate(options, calibrated.calibration);
  std::size_t used = 0;
  while (true) {
    const auto step = gate.next();
    if (const auto* verdict = std::get_if<domain::Verdict>(&step)) return *verdict;
    if (std::holds_alternative<measure::BuildStep>(step))
      gate.tell(measure::BuildAnswer{true, false, "", "x"});
    if (std::holds_alternative<measure::ProveStep>(step))
      gate.tell(measure::ProveAnswer{true, "planted"});
    if (std::holds_alternative<measure::CheckStep>(step))
      gate.tell(measure::CheckAnswer{true, false, ""});
    const auto* wanted = std::get_if<measure::PairStep>(&step);
    if (wanted == nullptr) continue;
    domain::Pair pair;
    pair.index = wanted->index;
    pair.window = wanted->window;
    pair.candidate_first = wanted->candidate_first;
    pair.x = calibrated.x[used++ % calibrated.x.size()] + planted;
    const auto wall_ns = static_cast<double>(calibrated.calibration.launch_ns_median);
    pair.trunk.wall_ns = static_cast<std::int64_t>(wall_ns);
    pair.trunk.metric = 1.0;
    pair.candidate.wall_ns = static_cast<std::int64_t>(wall_ns * std::exp(-*pair.x));
    pair.candidate.metric = std::exp(*pair.x);
    gate.tell(pair);
  }
}

// A run of the check that crashed instead of passing.
bool catches_failed_check(const domain::CheckSection& check) {
  if (check.command.empty()) return true;
  measure::CheckReference reference;
  for (const auto& rule : check.outputs) reference.golden[rule.file] = "1 2 3\n";
  ports::LaunchOutcome crashed;
  crashed.exit_code = 139;
  crashed.signal = 11;
  return !measure::judge_check(check, reference, crashed).is_passed;
}

}  // namespace

SelfTested rehearse_gate(const domain::Manifest& manifest, const Calibrated& calibrated,
                         bool looks_biased) {
  const double noise = calibrated.calibration.s_aa;
  if (calibrated.x.empty()) return {false, "no usable A/A pair"};
  const auto same = judged(calibrated, 0);
  if (same.kind == domain::VerdictKind::kKept)
    return {
        false,
        fmt::format(
            "two equal builds looked {:.1f} % apart: this machine's noise cannot be trusted now",
            100 * std::expm1(calibrated.calibration.mean))};
  const double planted = std::max(0.25, 4 * noise);
  const auto slower = judged(calibrated, -planted);
  if (slower.kind != domain::VerdictKind::kReverted)
    return {false, fmt::format("a planted slow-down of {:.0f} % was not reverted",
                               100 * std::expm1(planted))};
  if (!catches_failed_check(manifest.check))
    return {false, "a planted crash of the check was not caught"};
  return {true, fmt::format("equal builds {}, a planted slow-down of {:.0f} % and a planted crash "
                            "of the check were caught",
                            looks_biased ? "differ by their order (noted)" : "say no change",
                            100 * std::expm1(planted))};
}

}  // namespace arbor::engine
