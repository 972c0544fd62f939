// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// Namespaces by bubblewrap, writes discarded by overlayfs, limits by control groups. kUnsupported
// says what is missing. Opening it launches `true` once in every way that it will launch later.
base::Result<std::unique_ptr<Sandbox>> open_bubblewrap(const std::filesystem::path& scratch);

}  // namespace arbor::ports
