// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ports/sandbox/launch/child.h"
#include "ports/sandbox/sandbox.h"

// What every real sandbox does with a request before it starts anything.
namespace arbor::ports {

// kUsage for a request that could not mean anything: no command, relative paths, a collected path
// that leaves the tree, a CPU that does not exist, an environment name that no shell can pass on.
base::Result<void> check_request(const LaunchRequest& request);

struct InnerDefaults {
  std::string home;
  std::string temporary;
};
// The request's variables and defaults for what it leaves out; nothing of Arbor's own.
std::map<std::string, std::string> inner_environment(const LaunchRequest& request,
                                                     const InnerDefaults& defaults);

// Resource limits of each process. Memory and processes only where no control group limits them.
void add_limits(ChildPlan& plan, const Limits& limits, bool cgroup_limits_memory,
                bool cgroup_limits_processes);

std::optional<cpu_set_t> cpu_set_of(const std::vector<int>& cpus);

// A trusted program by its name in the system's folders: "/usr/bin/bwrap"; nothing when missing.
std::optional<std::string> find_program(std::string_view name);

// "NAME=value" lines and argument lists as execve wants them; owns the text.
class CStrings {
 public:
  explicit CStrings(std::vector<std::string> texts);
  explicit CStrings(const std::map<std::string, std::string>& variables);
  CStrings(const CStrings&) = delete;
  CStrings& operator=(const CStrings&) = delete;
  char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

}  // namespace arbor::ports
