// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "search/search.h"

// h(a) = exploit + explore, from plain numbers. Two forms, chosen by SearchOptions:
//   default     exploit = g/c · (1−r_acc)(1−r_crash) · m_gap, divided by the largest of the open
//               actions; explore = C_s · sqrt(ln N / (1 + n_cat))
//   as-printed  exploit = g / (c · (1−r_acc)(1−r_crash) · m_gap), raw; explore without the root
// docs/adr/0009-score-default-form.md says why the first is the default.
namespace arbor::search {

// What is known of one action before its score: every field is a term of the formula.
struct Estimate {
  double touched_share = 1;  // f
  double local_speedup = 1;  // s
  double log_gain = 0;       // g
  double minutes = 1;        // c, > 0
  double accuracy_risk = 0;
  double crash_risk = 0;
  double upper_log_gain = 0;  // the most it could gain
};

// What is equal for all actions at one moment.
struct Moment {
  bool is_as_printed = false;
  int trials_so_far = 1;  // N, counted from 1
  int trials_since_gain = 0;
  double gap = 1;  // m_gap
};

double gap_multiplier(std::optional<double> goal_speedup, double gain_so_far);  // m_gap
double exploration_weight(int trials_since_gain);                               // C_s

// All terms but the normalised exploit and the total, which need the other actions.
ScoreTerms raw_terms(const Estimate& estimate, const Moment& moment, int category_trials,
                     double multiplier);
// largest_exploit: of the open actions; not above zero = nothing to divide by.
void complete(ScoreTerms& terms, double largest_exploit, bool is_as_printed);

}  // namespace arbor::search
