// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace arbor::ports {

inline constexpr std::size_t kMaxCollectedBytes = 64UL << 20;

// The bytes of a regular file below folder, found without following a single symbolic link: the
// candidate wrote the folder, and a link in it could point at anything of the host. Nothing when
// the path is missing, not a regular file, larger than kMaxCollectedBytes or leaves the folder.
std::optional<std::string> read_beneath(const std::filesystem::path& folder,
                                        const std::string& relative);

}  // namespace arbor::ports
