// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/error.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// What a sandbox would mount into the tree is laid into it instead, in the mounts' order: a file as
// a copy, a folder as a link. Nothing keeps the launch from writing there. Mounts elsewhere are the
// business of RewrittenPaths.
base::Result<void> lay_mounts(const View& view, const std::filesystem::path& tree);

}  // namespace arbor::ports
