// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// --unsafe: processes that share everything with their user. Time, limits, output and the end of
// every process are kept as in a real sandbox; views are not: the command runs in view.tree itself,
// and paths that a view would mount elsewhere are rewritten where they begin an argument or an
// element of an environment variable.
base::Result<std::unique_ptr<Sandbox>> open_plain_processes(const std::filesystem::path& scratch);

}  // namespace arbor::ports
