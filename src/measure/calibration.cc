// SPDX-License-Identifier: Apache-2.0
#include "measure/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"
#include "measure/pair_judgement.h"
#include "measure/statistics.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {
constexpr int kSoundPairs = 12;
constexpr std::size_t kFewestPairs = 4;
constexpr double kSlowLag1 = 0.5;  // neighbouring pairs move together: slow swings of the machine

// Where the launches of one program disagree, its figures are running ones.
std::optional<std::int64_t> figures_of(const std::vector<const domain::Launch*>& launches) {
  const bool agree = std::ranges::all_of(launches, [&](const domain::Launch* launch) {
    return launch->figures == launches.front()->figures;
  });
  if (!agree || launches.front()->figures == 0) return std::nullopt;
  return launches.front()->figures;
}
}  // namespace

Calibrator::Calibrator(CalibrationOptions options) : options_(options) {
  ARBOR_CHECK(options_.pairs >= static_cast<int>(kFewestPairs), "calibration needs four pairs");
}

CalibrationStep Calibrator::next() const {
  if (result_) return *result_;
  return step();
}

PairStep Calibrator::step() const {
  PairStep step;
  step.is_warm_up = !is_warm_;
  step.index = is_warm_ ? static_cast<int>(pairs_.size()) + 1 : warm_ups_ + 1;
  step.window = is_warm_ ? (step.index - 1) / kPairsPerWindow : 0;
  step.candidate_first =
      base::Random::stream(options_.seed, is_warm_ ? "calibration" : "calibration warm-up",
                           static_cast<std::uint64_t>(step.index))
          .coin();
  step.seed = base::Random::stream(options_.seed, "calibration bench",
                                   static_cast<std::uint64_t>(step.window))
                  .next() >>
              33;
  return step;
}

void Calibrator::tell(domain::Pair pair) {
  ARBOR_CHECK(!result_, "calibration was told a pair after its end");
  const PairStep asked = step();
  pair.index = asked.index;
  pair.candidate_first = asked.candidate_first;
  pair.window = asked.window;
  if (asked.is_warm_up)
    ++warm_ups_;
  else
    pairs_.push_back(pair);
  const PairJudgement judged = judge_pair(pair);
  if (judged.outcome == PairOutcome::kCounts) {
    is_warm_ = true;
  } else if (++voids_ > std::max(kFreeVoids, options_.pairs / 5)) {
    result_.emplace();
    result_->notes.push_back(fmt::format(
        "the original program could not be measured: {} pairs failed, the last because {}", voids_,
        judged.detail));
    return;
  }
  if (static_cast<int>(counted_gains(pairs_).x.size()) >= options_.pairs) conclude();
}

void Calibrator::finish() {
  if (!result_) conclude();
}

void Calibrator::conclude() {
  result_.emplace();
  const auto gains = counted_gains(pairs_);
  if (gains.x.size() < kFewestPairs) {
    result_->notes.push_back(
        fmt::format("only {} pairs of the original program were measured, at "
                    "least {} are needed",
                    gains.x.size(), kFewestPairs));
    return;
  }
  result_->is_usable = true;
  auto& calibration = result_->calibration;
  calibration.pairs = static_cast<int>(gains.x.size());
  calibration.s_aa = standard_deviation(gains.x);
  calibration.mean = mean(gains.x);
  calibration.lag1 = lag1_autocorrelation(gains.x);
  calibration.smallest_detectable = smallest_detectable(calibration.s_aa);
  std::vector<double> walls;
  std::vector<const domain::Launch*> launches;
  for (const auto& pair : pairs_)
    if (judge_pair(pair).outcome == PairOutcome::kCounts)
      launches.insert(launches.end(), {&pair.trunk, &pair.candidate});
  for (const auto* launch : launches) walls.push_back(static_cast<double>(launch->wall_ns));
  calibration.figures = figures_of(launches);
  calibration.launch_ns_median = std::llround(median(std::move(walls)));
  const MeanError error = error_of_mean(gains.x, gains.windows);
  result_->looks_biased =
      std::abs(error.mean) > t_quantile(0.995, error.degrees) * error.standard_error;
  if (result_->looks_biased)
    result_->notes.push_back(
        fmt::format("equal arms look unequal: {}; something treats the two arms differently",
                    figures_text({interval_of_mean(gains.x, gains.windows), calibration.pairs, 0,
                                  calibration.s_aa})));
  if (calibration.pairs < kSoundPairs)
    result_->notes.push_back(
        fmt::format("noise rests on {} pairs only ({} are sound), so its upper "
                    "bound is {} instead of {}",
                    calibration.pairs, kSoundPairs,
                    percent_text(calibration.s_aa * deviation_upper_factor(calibration.pairs)),
                    percent_text(calibration.s_aa * deviation_upper_factor(20))));
  if (calibration.lag1 > kSlowLag1)
    result_->notes.push_back(
        fmt::format("neighbouring pairs move together (lag-1 autocorrelation "
                    "{:.2f}): the machine changes speed slowly",
                    calibration.lag1));
}

}  // namespace arbor::measure
