// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workspace/shim/shim.h"

namespace arbor::workspace {

// A source that was compiled alone, and what a Makefile calls the result.
struct ObjectFile {
  std::string source;     // from the repository's root
  std::string object;     // as a rule in `directory` names it: relative to it, or absolute
  std::string directory;  // where the compiler was called, from the repository's root; "." = it
  bool operator==(const ObjectFile&) const = default;
};

// In the order of their commands, each once. Sources outside of the repository are left out, and so
// are those that were compiled and linked by one command.
std::vector<ObjectFile> object_files(const std::vector<CompileCommand>& commands,
                                     const std::filesystem::path& tree_path);

}  // namespace arbor::workspace
