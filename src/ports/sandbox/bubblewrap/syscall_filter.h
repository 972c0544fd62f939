// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"

namespace arbor::ports {

// The seccomp program (struct sock_filter[]) that every launch runs under: what no program under
// optimisation needs, and what would let it reach the judge's processes (they have its user) or
// keep something beyond its launch is refused with EPERM, for each instruction set that the kernel
// runs here. perf_event_open stays: launches are profiled.
base::Result<std::string> syscall_filter();

}  // namespace arbor::ports
