// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/ids.h"
#include "domain/layer.h"

namespace arbor::domain {

// What a constraint speaks of. Empty fields do not restrict; an action is in scope when every
// filled field matches.
struct ConstraintScope {
  std::optional<Layer> layer;
  std::string category;
  std::string strategy;
  std::string target;
  std::string flag;
  std::string knob;
  NodeId subtree;  // valid: only trials on this node and its descendants
  bool operator==(const ConstraintScope&) const = default;
};

enum class ConstraintEffect { kForbid, kPenalise, kRequire, kCap };
enum class Lapse { kNever, kProfileShift, kToolchainChange, kRetryBudget };

struct Constraint {
  ConstraintId id;
  ConstraintScope scope;
  ConstraintEffect effect = ConstraintEffect::kForbid;
  double weight = 1;  // of kPenalise: the score is multiplied by it
  std::string value;  // of kRequire and kCap
  std::string reason;
  std::vector<TrialId> evidence;
  double confidence = 1;
  Lapse lapses = Lapse::kNever;
  std::string publisher;  // "critic", "manifest", "user"
  bool operator==(const Constraint&) const = default;
};

}  // namespace arbor::domain
