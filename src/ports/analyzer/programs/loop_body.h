// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ports/analyzer/analyzer.h"
#include "ports/analyzer/programs/cursor.h"

namespace arbor::analyzer {

// Fills in everything of a loop but function, file and depth. Cautious: what is not understood is
// a call or a dependence.
ports::Loop analyze_loop(CXCursor loop);

}  // namespace arbor::analyzer
