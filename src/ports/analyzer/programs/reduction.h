// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ports/analyzer/programs/cursor.h"

namespace arbor::analyzer {

// A statement that accumulates into a variable. uses: how often the statement names the variable;
// any further use in the loop sees a value between two iterations, and it is no reduction.
struct Accumulation {
  CXCursor variable;
  std::string operation;  // as in ports::Reduction
  int uses = 0;
};

// x += e, x -= e, x *= e, x &= e, ++x; x = x + e, x = max(x, e), x = c ? e : x with c a comparison
// of x and e; if (e > x) x = e. Nothing for any other statement.
std::optional<Accumulation> accumulation(CXCursor statement);

// How often a cursor's subtree names the variable.
int uses_of(CXCursor variable, CXCursor cursor);

}  // namespace arbor::analyzer
