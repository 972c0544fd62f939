// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Which process made a thing on disk, so that what one left behind that was killed can be told from
// what a living one is using. A pid alone would be mistaken for that of a later process.
namespace arbor::base {

struct ProcessName {
  std::string pid;
  std::string started;  // clock ticks after boot
  std::string boot;     // boot id
};
ProcessName this_process();
// True also where the process exists and cannot be looked at.
bool is_running(const ProcessName& process);

// "PID.STARTED.BOOT" of this process, for the name of a file; BOOT is the first part of the id.
std::string owner_mark();
// A name with a mark between two '-', or at its end, whose process is gone. Processes of another
// pid namespace (a container that shares the folder) look gone.
bool has_dead_owner(std::string_view name);

// Removes what lies directly in the folder, begins with the prefix, has a dead owner and belongs to
// this process's user: scratch folders of processes that were killed. No link is followed or
// removed, the folder's own name included. What cannot be removed stays.
void sweep(const std::filesystem::path& folder, std::string_view prefix = {});

}  // namespace arbor::base
