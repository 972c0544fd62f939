// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ports/analyzer/programs/cursor.h"

namespace arbor::analyzer {

// How an integer expression or an address grows from one iteration of a loop to the next: c is the
// coefficient of the counter; is_symbolic: it is not zero, but known only when the program runs
// (i * columns).
struct Growth {
  long long c = 0;
  bool is_symbolic = false;
  bool is_invariant() const { return c == 0 && !is_symbolic; }
};

// What must be known of a loop to see growth in it.
struct LoopVariables {
  Extent extent;
  std::optional<CXCursor> counter;
  std::vector<CXCursor> inner_counters;  // of loops inside: fixed while this one steps
  std::vector<CXCursor> written;         // all variables that something inside writes
  bool is_written(CXCursor variable) const;
  bool is_private(CXCursor variable) const { return contains(extent, variable); }
};
LoopVariables variables_of(CXCursor loop);

// Nothing where it cannot be told: loaded indices, calls, variables that the loop changes.
std::optional<Growth> growth_of(CXCursor expression, const LoopVariables& variables);

}  // namespace arbor::analyzer
