// SPDX-License-Identifier: Apache-2.0
#include "engine/budget.h"

#include <algorithm>

namespace arbor::engine {
namespace {
constexpr int kFewestPairs = 6;
constexpr int kMostPairs = 20;
constexpr double kLaunchOverheadS = 0.03;  // sandbox, overlay and reading the result
}  // namespace

double Budget::spent_s(std::int64_t now_ns) const {
  return spent_before_s + static_cast<double>(now_ns - session_start_ns) / 1e9;
}

double Budget::left_s(std::int64_t now_ns) const { return wall_s - spent_s(now_ns); }

std::int64_t Budget::end_ns(std::int64_t now_ns, double reserve_s) const {
  return now_ns + static_cast<std::int64_t>(std::max(0.0, left_s(now_ns) - reserve_s) * 1e9);
}

int final_pairs(double budget_s, double launch_s) {
  const double pair_s = 2 * (launch_s + kLaunchOverheadS);
  const double pairs = std::min(kFinalShare * budget_s / pair_s, static_cast<double>(kMostPairs));
  return std::clamp(static_cast<int>(pairs), kFewestPairs, kMostPairs);
}

double headline_reserve_s(int pairs, double pair_s) {
  constexpr double kEndingS = 3;  // reading, writing the last entries
  return (pairs + 1) * (pair_s + 2 * kLaunchOverheadS) + kEndingS;  // one for the warm-up
}

double shortest_trial_s(double launch_s, double build_s, double check_s) {
  constexpr int kFirstLook = 4;
  return build_s + check_s + 2 * (kFirstLook + 1) * (launch_s + kLaunchOverheadS);
}

}  // namespace arbor::engine
