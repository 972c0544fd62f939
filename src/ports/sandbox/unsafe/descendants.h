// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace arbor::ports {

// Every living process below ancestor, from /proc. Whoever lost its parent counts when ancestor is
// a subreaper: it then became ancestor's child.
std::vector<pid_t> descendants_of(pid_t ancestor);

}  // namespace arbor::ports
