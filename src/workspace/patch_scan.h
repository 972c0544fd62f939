// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbor::workspace {

inline constexpr std::size_t kMaxPatchBytes = 1UL << 20;
inline constexpr std::size_t kMaxPatchFiles = 200;

// Reads a unified diff only far enough to refuse what is no plain text change, with a message that
// names file and rule: binary hunks, NUL, links, submodules, odd modes, paths that leave the tree
// or touch .git, too much of anything. Not the authority on what the patch does: that is the
// difference of the trees after git applied it (patch_policy.h). Gives the paths that it names.
base::Result<std::set<std::string>> scan_patch(std::string_view diff);

// Why a path may never be written by anyone, empty if it may.
std::string path_problem(std::string_view path);

}  // namespace arbor::workspace
