// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace arbor::ports {

// Whether a process lives that many generations below the keeper: 1 without namespaces, 2 where
// bubblewrap's own first process stands between. Once the command has ended, those are its
// orphans. Processes that are dead and only not waited for do not count.
bool has_survivors(pid_t keeper, int generations);

}  // namespace arbor::ports
