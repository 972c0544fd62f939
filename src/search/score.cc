// SPDX-License-Identifier: Apache-2.0
#include "search/score.h"

#include <algorithm>
#include <cmath>

namespace arbor::search {
namespace {
constexpr double kExploration = 0.5;  // c0
constexpr double kStagnationStep = 0.3;
constexpr int kPatience = 3;
constexpr double kShortestMinutes = 1e-3;
}  // namespace

double gap_multiplier(std::optional<double> goal_speedup, double gain_so_far) {
  if (!goal_speedup) return 1;
  const double remaining = *goal_speedup / std::exp(gain_so_far) - 1;
  return 1 + std::clamp(remaining, 0.0, 1.0);
}

double exploration_weight(int trials_since_gain) {
  return kExploration * (1 + kStagnationStep * std::max(0, trials_since_gain - kPatience));
}

ScoreTerms raw_terms(const Estimate& estimate, const Moment& moment, int category_trials,
                     double multiplier) {
  ScoreTerms terms;
  terms.f = estimate.touched_share;
  terms.s = estimate.local_speedup;
  terms.g = estimate.log_gain;
  terms.minutes = std::max(estimate.minutes, kShortestMinutes);
  terms.accuracy_risk = estimate.accuracy_risk;
  terms.crash_risk = estimate.crash_risk;
  terms.gap = moment.gap;
  terms.multiplier = multiplier;
  terms.trials_so_far = moment.trials_so_far;
  terms.category_trials = category_trials;
  terms.exploration_weight = exploration_weight(moment.trials_since_gain);
  const double factors = (1 - terms.accuracy_risk) * (1 - terms.crash_risk) * terms.gap;
  const double ratio = std::log(moment.trials_so_far) / (1 + category_trials);
  terms.exploit_raw = moment.is_as_printed ? terms.g / (terms.minutes * std::max(factors, 1e-6))
                                           : terms.g / terms.minutes * factors;
  terms.explore =
      terms.exploration_weight * (moment.is_as_printed ? ratio : std::sqrt(std::max(ratio, 0.0)));
  if (terms.f <= 0) terms.explore = 0;  // what touches nothing has nothing to be explored
  return terms;
}

void complete(ScoreTerms& terms, double largest_exploit, bool is_as_printed) {
  const bool is_scaled = !is_as_printed && largest_exploit > 0;
  terms.exploit = is_scaled ? terms.exploit_raw / largest_exploit : terms.exploit_raw;
  const double sum = terms.exploit + terms.explore;
  terms.total = sum >= 0 ? sum * terms.multiplier : sum / std::max(terms.multiplier, 1e-6);
}

}  // namespace arbor::search
