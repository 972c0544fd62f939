// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ports/profiler/profiler.h"

namespace arbor::ports {

// Linux perf, sampling the user's side of the program by time: works without hardware counters (in
// virtual machines) and, up to kernel.perf_event_paranoid 2, without privileges.
std::unique_ptr<Profiler> make_perf_profiler(Sandbox& sandbox);

// Why perf cannot be started on this machine and what to install; nothing when it can.
std::optional<std::string> what_perf_lacks();

}  // namespace arbor::ports
