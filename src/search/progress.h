// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "domain/action.h"
#include "domain/verdict.h"

namespace arbor::search {

// Counts of what has happened, as the score and the stopping rules use them.
class Progress {
 public:
  void begin(const domain::Action& action, domain::NodeId trunk,
             const std::set<domain::Layer>& layers);
  // True when this was the second discard of its strategy (the fourth, …).
  bool end(const domain::Action& action, const domain::Verdict& verdict);

  int trials() const { return trials_; }  // begun
  int trials_in(const std::string& category) const;
  const std::set<domain::Layer>& layers_tried() const { return layers_; }
  int trials_since_gain() const { return trials_since_gain_; }
  int crashes() const { return crashes_; }
  int in_flight() const { return in_flight_; }
  bool has_combined(domain::NodeId trunk, const std::vector<domain::ActionId>& parts) const;

 private:
  int trials_ = 0, trials_since_gain_ = 0, crashes_ = 0, in_flight_ = 0;
  std::map<std::string, int> by_category_;
  std::set<domain::Layer> layers_;
  std::map<std::pair<std::string, std::string>, int> discards_;  // by category and strategy
  std::set<std::pair<domain::NodeId, std::vector<domain::ActionId>>> combined_;
};

}  // namespace arbor::search
