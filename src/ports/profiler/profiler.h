// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>
#include <string_view>

#include "base/error.h"
#include "domain/profile.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// Runs a command, and whatever it starts, under a profiler in its sandbox view and returns its
// hotspots. Blocks. Where no
// profiler works the profile says so (tool "none") and campaigns go on without hotspots; errors are
// those of Sandbox::launch, and kInternal when the tool ran but its data cannot be read.
class Profiler {
 public:
  virtual ~Profiler() = default;
  virtual base::Result<domain::Profile> profile(const LaunchRequest& launch,
                                                std::stop_token stop) = 0;
};

// tool: "auto", "perf" or "none"; kUnsupported for a named tool that this machine lacks, kUsage for
// an unknown one. The sandbox must outlive the profiler.
base::Result<std::unique_ptr<Profiler>> open_profiler(Sandbox& sandbox, std::string_view tool);

}  // namespace arbor::ports
