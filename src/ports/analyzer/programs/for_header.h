// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ports/analyzer/programs/cursor.h"

namespace arbor::analyzer {

// The parts of for (init; condition; increment) body. libclang lists only the parts that exist, so
// they are told apart by the two semicolons.
struct ForHeader {
  std::optional<CXCursor> init, condition, increment;
  CXCursor body = clang_getNullCursor();
};
ForHeader split_for(CXCursor loop);

// The counter of for (int i = a; i < b; i += c): an integer with a bound and a constant step.
// bound is the side of the condition that the counter is compared with.
struct Counter {
  CXCursor variable;
  CXCursor bound;
  long long step = 1;
};
std::optional<Counter> counter_of(const ForHeader& header);

}  // namespace arbor::analyzer
