// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ports/sandbox/bubblewrap/layers.h"
#include "ports/sandbox/launch/cgroup.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// What of the machine a bubblewrap sandbox uses; found out by open_bubblewrap.
struct Ways {
  std::string bwrap;
  std::string setpriv;              // empty for an ordinary user
  bool has_user_namespace = false;  // what an ordinary user needs for all the others
  bool has_overlay = false;
  std::string filter;  // syscall_filter
  CgroupHome cgroups;
};

class BubblewrapSandbox final : public Sandbox {
 public:
  BubblewrapSandbox(std::filesystem::path scratch, Ways ways)
      : scratch_(std::move(scratch)), ways_(std::move(ways)) {}

  SandboxTraits traits() const override;
  base::Result<LaunchOutcome> launch(const LaunchRequest& request, std::stop_token stop) override;
  void use_copies() { ways_.has_overlay = false; }

 private:
  base::Result<std::optional<Layers>> layers_for(const LaunchRequest& request,
                                                 std::stop_token stop) const;
  base::Result<void> give_away(const View& view) const;
  std::vector<std::string> options(const LaunchRequest& request,
                                   const std::filesystem::path& tree) const;
  std::vector<std::string> command_line(const LaunchRequest& request) const;

  std::filesystem::path scratch_;
  Ways ways_;
};

}  // namespace arbor::ports
