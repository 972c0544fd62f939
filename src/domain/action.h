// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/ids.h"
#include "domain/layer.h"

namespace arbor::domain {

// What an action is predicted to do. Fractions are of the whole run.
struct Prediction {
  double touched_share = 1;  // f: share of time the action touches, 0..1
  double local_speedup = 1;  // s: expected speed-up of that share, > 0
  double upper_speedup = 1;  // upper 95 % of the whole-run speed-up; a gain far above is suspect
  double minutes = 1;        // to implement, build, restart, check and measure
  double accuracy_risk = 0;  // r_acc, 0..1
  double crash_risk = 0;     // r_crash, 0..1
  bool operator==(const Prediction&) const = default;
};

// ln of the whole run's expected speed-up by Amdahl: −ln(1 − f·(1 − 1/s)).
double expected_log_gain(const Prediction& prediction);

// An intervention that could be tried.
struct Action {
  ActionId id;
  Layer layer = Layer::kApplication;
  std::string category;    // "compiler.flags", "kernel.loop": the unit of priors and exploration
  std::string strategy;    // the concrete way: "-O3", "omp-simd-reduction", "mimalloc"
  std::string target;      // symbol, file or "" for the whole program
  std::string specialist;  // registry name of who carries it out
  std::string parameters;  // JSON that only its specialist reads
  std::string title;       // "Vectorise the reduction in dot() (src/dot.cc:12)"
  std::string rationale;   // evidence in a sentence
  Prediction prediction;
  std::vector<std::string> enables;     // categories or strategies that may pay once this is kept
  std::vector<std::string> enabled_by;  // and those that may make this pay
  // What it decides: "fast-math", "knob:batch", "allocator". Two actions that settle one thing at
  // one place (an empty target is every place) are alternatives: never in one trial.
  std::string settles;
  std::vector<std::string> covers;  // strategies that are superfluous where this one is kept
  int step = 0;  // of ordered alternatives: places from the trunk's value, by sign; 0 = no order
  // Categories or strategies without one of which it may well lose: tried in a pair from the start.
  std::vector<std::string> pays_with;
  std::vector<ActionId> parts;  // a combined trial carries several actions
  bool operator==(const Action&) const = default;
};

// Equal keys are the same idea: strategy, target and parameters.
std::string action_key(const Action& action);

}  // namespace arbor::domain
