// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

// A database in write-ahead mode needs locks and shared memory that network file systems only
// pretend to have: it works until the day it does not. So campaigns live on local disks.
namespace arbor::ports {

// The network file system's name for a statfs magic, nothing for a local one. fuse_type: the
// mount's type ("fuse.sshfs"), which alone tells FUSE file systems apart.
std::optional<std::string> network_file_system(std::uint32_t magic, std::string_view fuse_type);

// kUsage where path (or its nearest existing ancestor) lies on a network file system.
base::Result<void> require_local_disk(const std::filesystem::path& path);

// "12.3 MB are free there"
std::string free_space_text(const std::filesystem::path& path);

}  // namespace arbor::ports
