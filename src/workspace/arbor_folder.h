// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/error.h"

// The .arbor folder of a program, before anything in it is believed. A repository that somebody
// else made can bring one along, and what lies there is read as Arbor's own: a git configuration, a
// journal, folders to write to and to empty.
namespace arbor::workspace {

// Nothing of it is opened. kUsage, naming the path and the way out, where it is tracked by the
// program's repository, is no folder, belongs to another user, or holds a symbolic link, or a file
// with another name elsewhere, where Arbor has folders and files of its own. Good where it is
// absent and nothing is tracked there.
base::Result<void> check_arbor_folder(const std::filesystem::path& arbor_dir);

// Checks it and makes it, with the .gitignore that hides it from the program's repository.
base::Result<void> make_arbor_folder(const std::filesystem::path& arbor_dir);

}  // namespace arbor::workspace
