// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/error.h"

namespace arbor::workspace {

// Copies a folder with modes, times and links as they are; blocks are shared where the file system
// can. to must not exist.
base::Result<void> copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace arbor::workspace
