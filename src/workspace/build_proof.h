// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "domain/change.h"
#include "workspace/builder.h"

namespace arbor::workspace {

// What of a change the recorded commands of its build do not show, in words; empty = they show all
// of it: flags and macros are in a command of their files, the compiler was the one chosen, the
// profile was used, a changed source was compiled again.
std::string missing_in_commands(const BuiltTree& tree, const domain::Change& change);

}  // namespace arbor::workspace
