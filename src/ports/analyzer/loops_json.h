// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ports/analyzer/analyzer.h"

namespace arbor::ports {

// What arbor-analyzer printed. It ran beside untrusted code: each field must be there, of its type
// and in its range, or the whole is kInternal. file: put into each loop.
base::Result<std::vector<Loop>> parse_loops(std::string_view text, const std::string& file);

}  // namespace arbor::ports
