// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "workspace/git.h"

namespace arbor::workspace {

// A work tree of the user's, with the repository it belongs to; nothing of either is written.
struct WorkTree {
  Git git;                                // Arbor's, which also sees this repository's objects
  std::filesystem::path user_git_dir;     // holds its index
  std::filesystem::path user_common_dir;  // holds its lfs/
  std::filesystem::path folder;
  std::string head;
  std::filesystem::path scratch_dir;
};

// The files that git would commit, as a tree of Arbor's repository. A submodule that is not as its
// commit is a commit of Arbor's in it, with the submodule's own files as they are, at any depth.
base::Result<std::string> snapshot_of(const WorkTree& work_tree);

// The commit that such a tree becomes. Equal for equal trees and parents.
base::Result<std::string> commit_as_found(const Git& git, const std::string& tree,
                                          const std::string& parent);

}  // namespace arbor::workspace
