// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "domain/measurement.h"

// The two-stage paired test. Pure functions of the gains measured so far: called after each pair,
// they say whether the stage goes on. x are ln gains of the pairs that count, in their order, and
// windows the window of each.
//
//   first stage   ends for keep at looks 4, 6, 9, 14, 20 only (1 % a look, Student's t), for revert
//                 after any pair (likelihood ratio of δ1 against δ0 under known noise)
//   confirm       a number of pairs fixed before it begins, one one-sided 5 % test at its end;
//                 earlier it may only end the trial
namespace arbor::measure {

struct TestRule {
  double delta0 = 0;     // a gain not above this is worth nothing
  double noise = 0;      // s_AA: standard deviation of x between equal arms
  int noise_values = 2;  // how many A/A pairs it rests on: fixes its upper 90 % bound
  int max_pairs = 20;
};

double worthwhile_gain(const TestRule& rule);  // δ1 = max(1 %, δ0 + s_AA)
double noise_bound(const TestRule& rule);      // σ: upper 90 % bound of s_AA

enum class TestEnd {
  kContinue,
  kKeep,          // of the first stage: a candidate for confirm
  kSlower,        // revert: it costs time
  kNotWorth,      // revert: whatever it gains is below δ1
  kInconclusive,  // may be worth having, was not shown to be
};

TestEnd first_stage(std::span<const double> x, std::span<const int> windows, const TestRule& rule);

// Pairs of the confirm stage: 6 where the first stage's mean is above 3·s_AA, else 14.
int planned_confirm_pairs(double first_stage_mean, double noise);
TestEnd confirm_test(std::span<const double> x, std::span<const int> windows, const TestRule& rule,
                     int planned_pairs);

// Interval of the mean gain at any number of pairs ≥ 1: of fewer than four pairs by the known noise
// (Student's t has no use there), else as interval_of_mean.
domain::Interval gain_interval(std::span<const double> x, std::span<const int> windows,
                               const TestRule& rule);

}  // namespace arbor::measure
