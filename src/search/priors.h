// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/verdict.h"
#include "search/score.h"

// What is believed of a category before this campaign measured anything, and how the campaign's
// own trials move it.
namespace arbor::search {

struct Prior {
  std::string_view category;  // or the layer's word alone: the default of what is not listed
  double local_speedup = 1;   // s, of the share the action touches
  double upper_speedup = 1;   // of the whole run, 95 %
  double minutes = 1;
  double accuracy_risk = 0;
  double crash_risk = 0;
  std::string_view source;  // where the numbers come from
};

std::span<const Prior> priors();
// The category's row, else its layer's ("kernel" for "kernel.whatever"), else the general one.
const Prior& prior_of(std::string_view category);

// The prediction with a prior's numbers where the proposer left the defaults.
domain::Prediction with_prior(domain::Prediction prediction, std::string_view category);

// Beta posteriors of r_acc and r_crash. A category starts at the action's predicted risk, a
// strategy at its category's posterior: a strategy that failed never condemns its whole category.
class Risks {
 public:
  // Counts what the trial can tell: a patch that was refused says nothing about accuracy.
  void observe(const domain::Action& action, const domain::Verdict& verdict);
  double accuracy(const domain::Action& action, double prior) const;
  double crash(const domain::Action& action, double prior) const;

 private:
  struct Count {
    int trials = 0, failures = 0;
  };
  struct Counts {
    std::map<std::string, Count> by_category, by_strategy;
  };
  static void add(Counts& counts, const domain::Action& action, bool has_failed);
  static double posterior(const Counts& counts, const domain::Action& action, double prior);
  Counts accuracy_, crash_;
};

// c: the campaign's own medians by category. A prediction is scaled by how the timed trials compare
// with theirs, and counts as one more trial of its category: one that ended early does not make the
// whole category look cheap, and a dear one does not hide that a knob needs no build.
class Minutes {
 public:
  void learn(const domain::Action& action, double minutes);
  double of(const domain::Action& action) const;

 private:
  std::map<std::string, std::vector<double>, std::less<>> timed_;  // sorted, as the next
  std::vector<double> ratios_;                                     // timed by predicted
};

// True when the upper 95 % speed-up and the rest were left at their defaults.
bool is_unpredicted(const domain::Prediction& prediction);

}  // namespace arbor::search
