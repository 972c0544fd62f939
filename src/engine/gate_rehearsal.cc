// SPDX-License-Identifier: Apache-2.0
#include "engine/gate_rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/planted_faults.h"
#include "measure/gate.h"

namespace arbor::engine {
namespace {

constexpr double kSlowPairCost = 4;  // launches that one pair with a slow arm takes at most

domain::Pair pair_of(const Calibrated& calibrated, double x, const measure::PairStep& wanted) {
  domain::Pair pair;
  pair.index = wanted.index;
  pair.window = wanted.window;
  pair.candidate_first = wanted.candidate_first;
  pair.x = x;
  const auto wall_ns = static_cast<double>(calibrated.calibration.launch_ns_median);
  pair.trunk.wall_ns = static_cast<std::int64_t>(wall_ns);
  pair.trunk.metric = 1.0;
  pair.candidate.wall_ns = static_cast<std::int64_t>(wall_ns * std::exp(-x));
  pair.candidate.metric = std::exp(x);
  return pair;
}

// Runs a gate whose pairs are the calibration's own, each with the planted log gain added and none
// taken twice: a confirm stage on the pairs of the first one would confirm nothing. Undecided where
// they do not suffice.
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
    if (wanted->is_warm_up) {
      gate.tell(pair_of(calibrated, 0, *wanted));
      continue;
    }
    if (used == calibrated.x.size()) return gate.cut_off("undecided", "no A/A pair is left");
    gate.tell(pair_of(calibrated, calibrated.x[used++] + planted, *wanted));
  }
}

}  // namespace

SelfTested rehearse_on_pairs(const Calibrated& calibrated, bool looks_biased) {
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
    return {false, fmt::format("a slow-down of {:.0f} % added to the A/A pairs was not reverted",
                               100 * std::expm1(planted))};
  return {true, fmt::format("equal builds {}",
                            looks_biased ? "differ by their order (noted)" : "say no change")};
}

base::Result<SelfTested> rehearse_gate(Session& session, const Calibrated& calibrated,
                                       bool looks_biased, double longest_s) {
  SelfTested tested = rehearse_on_pairs(calibrated, looks_biased);
  if (!tested.is_passed) return tested;
  const auto add = [&](const Plant& plant) {
    tested.is_passed = tested.is_passed && plant.is_caught;
    tested.detail = plant.is_caught ? tested.detail + "; " + plant.detail : plant.detail;
  };
  const double launch_s = static_cast<double>(calibrated.calibration.launch_ns_median) / 1e9;
  if (session.is_off(kSlowDown) || kSlowPairCost * launch_s > longest_s) {
    tested.detail += "; a slow-down was planted in the figures only";
  } else {
    ARBOR_TRY(const Plant slow, plant_slow_down(session, calibrated.calibration));
    add(slow);
  }
  if (tested.is_passed && !session.is_off(kWrongOutput)) {
    ARBOR_TRY(const Plant wrong, plant_wrong_output(session));
    add(wrong);
  }
  return tested;
}

}  // namespace arbor::engine
