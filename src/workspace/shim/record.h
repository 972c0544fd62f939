// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workspace/shim/shim.h"

namespace arbor::workspace {

// One line of commands.jsonl with its line end; bytes that are not UTF-8 become U+FFFD. Paths are
// written as the program gave them. Linked into the shim itself: standard library only.
std::string record_line(const CompileCommand& command);

}  // namespace arbor::workspace
