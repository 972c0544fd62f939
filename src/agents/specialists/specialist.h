// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/registry.h"
#include "domain/action.h"
#include "domain/change.h"
#include "domain/manifest.h"
#include "domain/profile.h"
#include "ports/analyzer/analyzer.h"
#include "workspace/shim/shim.h"

namespace arbor::agents {

// What is true of the machine that measures.
struct Machine {
  int cpus = 1;
  int idle_cpus = 1;                   // verified idle, for threads
  std::vector<int> usable_cpus;        // their numbers; arms may share one
  std::vector<std::string> preloads;   // allocator libraries found, absolute paths
  std::vector<std::string> compilers;  // "gcc 12.2.0", "clang-19"
  bool has_openmp = false;
};

// What a specialist sees: the state it would start from, never the journal or the clock.
struct Evidence {
  const domain::Manifest& manifest;
  const domain::Profile& profile;                          // of the trunk
  const domain::Recipe& recipe;                            // trunk's, from the root
  const std::vector<workspace::CompileCommand>& commands;  // of the trunk's build
  const Machine& machine;
  double launch_s = 0;  // median launch of the trunk
  double build_s = 0;
  bool checks_numbers = false;  // outputs or score with a tolerance: fast-math may be tried
  bool has_train = false;
  // A source file of the trunk, by path from the repository's root.
  std::function<base::Result<std::string>(const std::string& path)> read_source;
  // Loops of one source file of the trunk; nullptr where no analyser is installed.
  std::function<base::Result<std::vector<ports::Loop>>(const std::string& path)> loops;
};

// Proposes actions for the evidence and carries one out: a merge-ready change. Built-in ones are
// deterministic. carry_out may fail with kNotFound when the source moved on; that is a rejected
// trial, not an error of the campaign. Both may take seconds (libclang) and honour stop.
class Specialist {
 public:
  virtual ~Specialist() = default;
  virtual std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token stop) = 0;
  virtual base::Result<domain::Change> carry_out(const domain::Action& action,
                                                 const Evidence& evidence,
                                                 std::stop_token stop) = 0;
};

using Specialists = base::Registry<Specialist>;

}  // namespace arbor::agents
