// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

inline constexpr const char* kInnerHome = "/run/arbor/home";

// The bwrap arguments that make a view. tree: the host folder to show at view.tree_path (view.tree
// itself, or the overlay over it).
std::vector<std::string> view_arguments(const View& view, const std::filesystem::path& tree,
                                        bool has_network);

}  // namespace arbor::ports
