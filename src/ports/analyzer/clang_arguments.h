// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace arbor::ports {

// Of the arguments of a recorded compile those that change what a source means: language,
// standard, macros, search paths, target. Everything else is left out, because libclang refuses
// what only gcc knows. Sources, outputs and dependency files are left out too.
std::vector<std::string> clang_arguments(const std::vector<std::string>& recorded);

}  // namespace arbor::ports
