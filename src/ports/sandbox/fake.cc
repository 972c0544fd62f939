// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/fake.h"

namespace arbor::ports {

SandboxTraits FakeSandbox::traits() const { return traits_; }

base::Result<LaunchOutcome> FakeSandbox::launch(const LaunchRequest& request,
                                                std::stop_token stop) {
  if (request.argv.empty())
    return base::fail(base::ErrorKind::kUsage, "a launch without a command");
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "stopped before the launch");
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  return handler_ ? handler_(request) : finished(0);
}

std::vector<LaunchRequest> FakeSandbox::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

LaunchOutcome finished(int exit_code, std::string standard_output, std::int64_t wall_ns) {
  LaunchOutcome outcome;
  outcome.exit_code = exit_code;
  if (exit_code > 128 && exit_code <= 128 + 64) outcome.signal = exit_code - 128;
  outcome.wall_ns = wall_ns;
  outcome.user_ns = wall_ns;
  outcome.standard_output = std::move(standard_output);
  return outcome;
}

}  // namespace arbor::ports
