// SPDX-License-Identifier: Apache-2.0
#include "engine/noise.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "engine/arms.h"
#include "engine/gate_rehearsal.h"
#include "engine/quiet_machine.h"
#include "measure/calibration.h"

namespace arbor::engine {
namespace {

constexpr std::size_t kFewestPairs = 4;  // below that a standard deviation says nothing
constexpr double kSelfTestShare = 0.25;  // of the calibration's time, for one slow pair

std::string missing_metric(const std::vector<domain::Pair>& pairs,
                           const measure::CalibrationResult& result) {
  std::vector<std::string> reasons = result.notes;
  for (const auto& pair : pairs)
    if (!pair.trunk.failure.empty()) reasons.push_back(pair.trunk.failure);
  return reasons.empty() ? "no launch gave a metric" : base::join(reasons, "; ");
}

base::Result<NoiseOutcome> unusable(const Session& session, const std::vector<domain::Pair>& pairs,
                                    const measure::CalibrationResult& result) {
  const bool is_machine =
      std::ranges::any_of(pairs, [](const auto& pair) { return !pair.void_reason.empty(); });
  std::string message =
      fmt::format("the benchmark '{}' cannot be measured: {}", session.manifest().bench.command,
                  missing_metric(pairs, result));
  if (!is_machine) return NoiseOutcome{NoiseEnd::kUnusable, std::move(message)};
  return base::fail(base::ErrorKind::kUnsupported,
                    message + "; end what else runs on this machine, then 'arbor resume'");
}

// What an earlier session measured before it was cut off. Told after this session's own warm-up.
void tell_journaled(const Session& session, measure::Calibrator& calibrator) {
  for (const auto& pair : session.state().calibration_pairs) {
    const auto next = calibrator.next();
    const auto* step = std::get_if<measure::PairStep>(&next);
    if (step == nullptr || step->is_warm_up) return;
    calibrator.tell(pair);
  }
}

base::Result<void> measure_next(Session& session, measure::Calibrator& calibrator,
                                const measure::PairStep& step, int planned) {
  session.phase(fmt::format("calibrating the noise, pair {} of {}", step.index, planned));
  const ArmState state{&session.baseline, {}};
  ARBOR_TRY(const domain::Pair pair, measure_pair(session, state, state, step, calibrator.pairs()));
  calibrator.tell(pair);
  if (step.is_warm_up) {
    tell_journaled(session, calibrator);
    return {};
  }
  return session.commit(CalibrationPair{pair});
}

base::Result<NoiseOutcome> settle(Session& session, const measure::Calibrator& calibrator,
                                  const measure::CalibrationResult& result,
                                  const CalibrationPlan& plan) {
  if (!result.is_usable) return unusable(session, calibrator.pairs(), result);
  Calibrated record{result.calibration, {}, result.notes};
  for (const auto& pair : calibrator.pairs())
    if (pair.x && pair.void_reason.empty()) record.x.push_back(*pair.x);
  ARBOR_TRY(const SelfTested tested,
            rehearse_gate(session, record, result.looks_biased, kSelfTestShare * plan.longest_s));
  ARBOR_TRY_VOID(session.commit(tested));
  if (!rehearse_on_pairs(record, result.looks_biased).is_passed)
    return base::fail(base::ErrorKind::kUnsupported,
                      "the gate's self-test failed: " + tested.detail +
                          "; end what else runs on this machine and start again");
  if (!tested.is_passed)
    return NoiseOutcome{NoiseEnd::kUnusable, "the gate's self-test failed: " + tested.detail};
  ARBOR_TRY_VOID(session.commit(record));
  return NoiseOutcome{};
}

}  // namespace

base::Result<NoiseOutcome> measure_noise(Session& session, const CalibrationPlan& plan) {
  measure::Calibrator calibrator({plan.pairs, session.state().started->seed});
  ARBOR_TRY_VOID(wait_until_quiet(session));
  const std::int64_t start_ns = session.services().clock.monotonic_ns();
  const auto spent_s = [&] {
    return static_cast<double>(session.services().clock.monotonic_ns() - start_ns) / 1e9;
  };
  while (true) {
    const auto step = calibrator.next();
    if (const auto* result = std::get_if<measure::CalibrationResult>(&step))
      return settle(session, calibrator, *result, plan);
    if (session.is_out_of_time()) return NoiseOutcome{NoiseEnd::kOutOfTime, ""};
    ARBOR_TRY_VOID(
        measure_next(session, calibrator, std::get<measure::PairStep>(step), plan.pairs));
    if (spent_s() > plan.longest_s && calibrator.pairs().size() >= kFewestPairs)
      calibrator.finish();
  }
}

}  // namespace arbor::engine
