// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/error.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// Removes view.removed from tree, which is view.tree as the launch is about to see it. The tree is
// a candidate's work: no symbolic link in a path is followed (what is behind one is not of the
// tree, and never collected), no folder is too deep or closed. What mounts cover is left alone: it
// comes from whoever asked for the launch.
base::Result<void> remove_beneath(const std::filesystem::path& tree, const View& view);

}  // namespace arbor::ports
