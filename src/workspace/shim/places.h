// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Where the parts of the shim lie in a build. A sandbox that mounts puts them at the paths of
// shim.h. One that cannot rewrites paths in variables: ARBOR_PLACES then says where each part is
// instead. Where a build lies about it, its record is missing and proves nothing.
namespace arbor::workspace {

inline constexpr const char* kPlacesVariable = "ARBOR_PLACES";

// The variable's value before anybody rewrites it; the tree comes first.
std::string places_text(const std::filesystem::path& tree_path);

// inside: a folder or file of shim.h.
std::string place_of(std::string_view inside);
// A path within the tree as it would be called where the tree is mounted at tree_path.
std::filesystem::path path_in_view(const std::filesystem::path& path,
                                   const std::filesystem::path& tree_path);

}  // namespace arbor::workspace
