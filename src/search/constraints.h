// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domain/action.h"
#include "domain/constraint.h"
#include "domain/ids.h"

namespace arbor::search {

// Does the constraint's scope cover the action, were it tried on `on`? is_below(x) tells whether
// the node x is `on` or one of its ancestors.
bool is_in_scope(const domain::ConstraintScope& scope, const domain::Action& action,
                 const std::function<bool(domain::NodeId)>& is_below);

// What the constraints in force say of one action. kForbid and a kCap that is exceeded forbid it,
// kPenalise multiplies; kRequire binds the specialist that carries it out and changes no score.
struct Ruling {
  std::optional<domain::ConstraintId> forbidden_by;
  std::string reason;
  double weight = 1;
};

class Constraints {
 public:
  // A rule equal in scope, effect and value adds its evidence to the one in force.
  void add(domain::Constraint constraint, int trials_so_far);
  Ruling rule_on(const domain::Action& action,
                 const std::function<bool(domain::NodeId)>& is_below) const;
  void lapse(domain::Lapse event);
  // A success lifts the penalties that covered it.
  void lift_penalties(const domain::Action& kept,
                      const std::function<bool(domain::NodeId)>& is_below);
  void lapse_old(int trials_so_far);  // kRetryBudget: after five further trials
  const std::vector<domain::Constraint>& in_force() const { return in_force_; }
  const std::vector<domain::Constraint>& lapsed() const { return lapsed_; }

 private:
  void lapse_if(const std::function<bool(std::size_t)>& is_over);
  std::vector<domain::Constraint> in_force_;
  std::vector<int> since_;  // trials made when each was added
  std::vector<domain::Constraint> lapsed_;
  std::int64_t next_id_ = 1;
};

}  // namespace arbor::search
