// SPDX-License-Identifier: Apache-2.0
#include "measure/two_stage.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "measure/statistics.h"

namespace arbor::measure {
namespace {

// 1 % one-sided Student's t at the looks.
struct Look {
  std::size_t pairs;
  double t;
};
constexpr Look kLooks[] = {{4, 4.541}, {6, 3.365}, {9, 2.896}, {14, 2.650}, {20, 2.539}};
constexpr double kQuickLoss = 0.16;       // in log; the first pair alone may end the trial
constexpr double kSmallestNoise = 0.001;  // no machine is quieter; keeps likelihoods finite
constexpr std::size_t kFirstFutilityLook = 9;
const double kRevertBound = std::log(0.10 / 0.95);
// Confirm's candidate has passed a test already, so it is dropped early only on strong evidence.
const double kConfirmRevertBound = std::log(0.01);

double log_likelihood_ratio(std::span<const double> x, const TestRule& rule) {
  const double delta1 = worthwhile_gain(rule), sigma = noise_bound(rule);
  return static_cast<double>(x.size()) * (delta1 - rule.delta0) *
         (2 * mean(x) - rule.delta0 - delta1) / (2 * sigma * sigma);
}

// Keep threshold at this number of pairs, 0 where there is no look. The last pair is always one.
double look_threshold(std::size_t pairs, const TestRule& rule) {
  for (const auto& look : kLooks)
    if (look.pairs == pairs) return look.t;
  const bool is_last = pairs == static_cast<std::size_t>(rule.max_pairs);
  return is_last && pairs >= 2 ? t_quantile(0.99, static_cast<double>(pairs - 1)) : 0;
}

bool exceeds(std::span<const double> x, double delta0, double threshold) {
  const double lead = mean(x) - delta0;
  const double error = standard_deviation(x) / std::sqrt(static_cast<double>(x.size()));
  return error > 0 ? lead / error > threshold : lead > 0;
}

// Could the last look still say keep if all further pairs lay at the upper 90 % bound of the mean?
bool is_futile(std::span<const double> x, const TestRule& rule) {
  const auto n = static_cast<double>(x.size());
  const double last = rule.max_pairs;
  if (x.size() < kFirstFutilityLook || n >= last) return false;
  const double s = standard_deviation(x);
  const double hopeful = mean(x) + t_quantile(0.90, n - 1) * s / std::sqrt(n);
  const double final_mean = (n * mean(x) + (last - n) * hopeful) / last;
  return final_mean - rule.delta0 < t_quantile(0.99, last - 1) * s / std::sqrt(last);
}

TestEnd reverted(std::span<const double> x, const TestRule& rule) {
  const double error = noise_bound(rule) / std::sqrt(static_cast<double>(x.size()));
  return mean(x) + normal_quantile(0.90) * error < 0 ? TestEnd::kSlower : TestEnd::kNotWorth;
}

TestEnd undecided(std::span<const double> x, std::span<const int> windows, const TestRule& rule) {
  const auto interval = gain_interval(x, windows, rule);
  if (interval.high < worthwhile_gain(rule))
    return interval.high < 0 ? TestEnd::kSlower : TestEnd::kNotWorth;
  return TestEnd::kInconclusive;
}

bool is_quick_loss(std::span<const double> x, const TestRule& rule) {
  return x.size() == 1 && x[0] < -std::max(kQuickLoss, 3 * rule.noise);
}

}  // namespace

double worthwhile_gain(const TestRule& rule) { return std::max(0.01, rule.delta0 + rule.noise); }

double noise_bound(const TestRule& rule) {
  return deviation_upper_factor(std::max(2, rule.noise_values)) *
         std::max(rule.noise, kSmallestNoise);
}

TestEnd first_stage(std::span<const double> x, std::span<const int> windows, const TestRule& rule) {
  if (x.empty()) return TestEnd::kContinue;
  if (is_quick_loss(x, rule)) return TestEnd::kSlower;
  if (log_likelihood_ratio(x, rule) <= kRevertBound) return reverted(x, rule);
  const double threshold = look_threshold(x.size(), rule);
  if (threshold == 0 && x.size() < static_cast<std::size_t>(rule.max_pairs))
    return TestEnd::kContinue;
  if (threshold > 0 && exceeds(x, rule.delta0, threshold)) return TestEnd::kKeep;
  const bool is_over = x.size() >= static_cast<std::size_t>(rule.max_pairs) || is_futile(x, rule);
  return is_over ? undecided(x, windows, rule) : TestEnd::kContinue;
}

int planned_confirm_pairs(double first_stage_mean, double noise) {
  return first_stage_mean > 3 * noise ? 6 : 14;
}

TestEnd confirm_test(std::span<const double> x, std::span<const int> windows, const TestRule& rule,
                     int planned_pairs) {
  ARBOR_CHECK(planned_pairs >= 2, "confirm needs at least two pairs");
  if (x.empty()) return TestEnd::kContinue;
  if (is_quick_loss(x, rule)) return TestEnd::kSlower;
  if (log_likelihood_ratio(x, rule) <= kConfirmRevertBound) return reverted(x, rule);
  if (x.size() < static_cast<std::size_t>(planned_pairs)) return TestEnd::kContinue;
  const MeanError error = error_of_mean(x, windows);
  const double lead = error.mean - rule.delta0;
  if (lead > t_quantile(0.95, error.degrees) * error.standard_error) return TestEnd::kKeep;
  return undecided(x, windows, rule);
}

domain::Interval gain_interval(std::span<const double> x, std::span<const int> windows,
                               const TestRule& rule) {
  if (x.size() >= 4) return interval_of_mean(x, windows);
  const double center = mean(x);
  const double half =
      normal_quantile(0.975) * noise_bound(rule) / std::sqrt(static_cast<double>(x.size()));
  return {center, center - half, center + half};
}

}  // namespace arbor::measure
