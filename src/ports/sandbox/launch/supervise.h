// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "ports/sandbox/launch/cgroup.h"
#include "ports/sandbox/launch/child.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// The command is started through this line of shell ($1: its working directory, then its words): it
// says that everything is in place (descriptor 3), waits for the parent's release (4) and becomes
// the command. So the parent's clock starts after mounts, namespaces and limits, and before the
// command's own exec.
inline constexpr const char* kGateScript =
    "cd -- \"$1\" && shift && printf . >&3 && read -r ARBOR_GATE <&4 || exit 125; "
    "unset ARBOR_GATE PWD OLDPWD; exec 3>&- 4<&-; exec \"$@\"";

struct Supervision {
  ChildPlan plan;  // without pipes and cgroups: supervise fills those in
  const LaunchRequest* request = nullptr;
  const Cgroup* cgroup = nullptr;
  bool maps_user = false;  // the keeper has a user namespace: write its maps
  uid_t owner_uid = 0;     // who owns the standard streams inside; only when Arbor is root
  bool gives_streams = false;
  std::vector<std::filesystem::path> written;  // folders on the disks to watch
  int generations = 1;  // from the keeper to the command's orphans: has_survivors
  std::function<void(pid_t keeper, int pidfd)> kill;  // kills everything of the launch
  // Called when everything is in place and the command waits; a failure is the launch's.
  std::function<base::Result<void>(pid_t keeper)> prepare;
  // Called while the keeper's mounts still stand; files of the tree are read here.
  std::function<void(pid_t keeper, LaunchOutcome&)> collect;
};

// Runs one launch to its end: nothing of it is alive when this returns.
base::Result<LaunchOutcome> supervise(Supervision supervision, std::stop_token stop);

// Kills a whole pid namespace by its first process.
void kill_namespace(pid_t keeper, int pidfd);

std::int64_t boot_time_ns();

}  // namespace arbor::ports
