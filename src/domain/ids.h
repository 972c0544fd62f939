// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

namespace arbor::domain {

struct NodeTag {
  static constexpr const char* kPrefix = "n";
};
struct TrialTag {
  static constexpr const char* kPrefix = "t";
};
struct ActionTag {
  static constexpr const char* kPrefix = "a";
};
struct ConstraintTag {
  static constexpr const char* kPrefix = "c";
};

using NodeId = base::Id<NodeTag>;  // n0 is the root, the profiled baseline
using TrialId = base::Id<TrialTag>;
using ActionId = base::Id<ActionTag>;
using ConstraintId = base::Id<ConstraintTag>;

}  // namespace arbor::domain
