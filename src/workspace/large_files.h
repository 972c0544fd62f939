// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "workspace/git.h"

// Git LFS without git-lfs: a commit holds small pointer texts, the contents lie in the user's
// .git/lfs. No filter program is run; contents are copied by their name.
namespace arbor::workspace {

// The SHA-256 that a pointer text names; empty when it is no pointer.
std::string large_file_name(std::string_view pointer);

// Takes those paths away that only look modified: the index holds the pointer of exactly the
// content that lies in the work tree.
base::Result<void> drop_unchanged_large_files(const Git& git,
                                              const std::filesystem::path& work_tree,
                                              std::vector<std::string>& paths);

// Replaces pointers among these files of a fresh checkout by their contents, as far as the store
// (user's .git/lfs/objects) has them; the others stay pointers, as they are in the user's own tree.
base::Result<void> fill_large_files(const std::filesystem::path& store,
                                    const std::filesystem::path& folder,
                                    const std::vector<std::string>& paths);

}  // namespace arbor::workspace
