// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace arbor::engine {

// Wall time and trials of a campaign, counted across restarts. Pure: time is an argument.
struct Budget {
  double wall_s = 0;
  std::optional<int> trials;
  double spent_before_s = 0;  // by earlier sessions
  std::int64_t session_start_ns = 0;

  double spent_s(std::int64_t now_ns) const;
  double left_s(std::int64_t now_ns) const;
  // When only the reserve is left; never before now.
  std::int64_t end_ns(std::int64_t now_ns, double reserve_s) const;
};

// Calibration and final measurement together take at most 30 % of the budget.
inline constexpr double kCalibrationShare = 0.12;
inline constexpr double kFinalShare = 0.18;

// Pairs of the final measurement: 20 where there is time, never under 6 (fewer say nothing).
int final_pairs(double budget_s, double launch_s);

// Time that the final measurement of trunk against original takes: pair_s is a launch of each.
double headline_reserve_s(int pairs, double pair_s);

// What a trial will take at least: a build, a check, the first looks. No trial starts without it.
double shortest_trial_s(double launch_s, double build_s, double check_s);

}  // namespace arbor::engine
