// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "workspace/git.h"

namespace arbor::workspace {

// Where a tree's files come from: Arbor's git, and the user's repository that it mirrors.
struct TreeSource {
  Git git;
  std::filesystem::path user_common_dir;  // its modules/ hold submodules, its lfs/ large files
  std::filesystem::path user_work_tree;   // checked-out submodules lie in it
  std::filesystem::path scratch_dir;
};

// The git folder of a checked-out work tree, as its .git says; empty where there is none.
std::filesystem::path git_dir_in(const std::filesystem::path& work_tree);

// Writes these paths of a tree ("commit" or a tree's name; empty list = all) below folder, which
// exists: plain files and links over whatever is there, submodules as plain folders. Links on the
// way to a file are replaced, never followed.
base::Result<void> write_tree_files(const TreeSource& source, const std::string& tree,
                                    const std::vector<std::string>& paths,
                                    const std::filesystem::path& folder);

}  // namespace arbor::workspace
