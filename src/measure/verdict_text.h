// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "domain/measurement.h"

// The figures of a verdict as people read them.
namespace arbor::measure {

struct Figures {
  domain::Interval log_gain;
  int first_stage_pairs = 0;
  int confirm_pairs = 0;
  double noise = 0;
};

// "1.31× [1.26, 1.37] over 6+6 pairs, noise 3.1 %"
std::string figures_text(const Figures& figures);
std::string speedup_text(double log_gain);  // "1.31×"
std::string percent_text(double fraction);  // "3.1 %"

}  // namespace arbor::measure
