// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// A sandbox that runs nothing: a function of the test answers each launch. Remembers what it was
// asked. Launches may come from several threads; the function is called for one at a time.
class FakeSandbox final : public Sandbox {
 public:
  using Handler = std::function<base::Result<LaunchOutcome>(const LaunchRequest&)>;

  // Without a handler every launch succeeds, takes a millisecond and prints nothing.
  explicit FakeSandbox(Handler handler = nullptr) : handler_(std::move(handler)) {}

  SandboxTraits traits() const override;
  base::Result<LaunchOutcome> launch(const LaunchRequest& request, std::stop_token stop) override;

  std::vector<LaunchRequest> requests() const;
  void set_traits(SandboxTraits traits) { traits_ = std::move(traits); }

 private:
  Handler handler_;
  SandboxTraits traits_{
      .name = "fake", .isolates = true, .limits_memory = true, .cgroup = "none", .notes = {}};
  mutable std::mutex mutex_;
  std::vector<LaunchRequest> requests_;
};

// What a command looks like that ended by itself.
LaunchOutcome finished(int exit_code, std::string standard_output = {},
                       std::int64_t wall_ns = 1'000'000);

}  // namespace arbor::ports
