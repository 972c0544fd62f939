// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "ports/sandbox/launch/cgroup.h"

namespace arbor::ports {

// A launch removes what it made, but an Arbor that was killed cannot: its processes die with it,
// its folders and control groups stay. Their names hold the mark of their owner, so that the next
// sandbox to open can tell them from those of a living one.
inline constexpr std::string_view kLaunchPrefix = "launch-";  // of scratch folders
inline constexpr std::string_view kGroupPrefix = "arbor-";
void remove_leftovers(const std::filesystem::path& scratch, const CgroupHome& cgroups);

// The scratch folder with its links resolved, created where missing.
base::Result<std::filesystem::path> open_scratch(const std::filesystem::path& scratch);

}  // namespace arbor::ports
