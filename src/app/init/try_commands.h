// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "app/wiring.h"

namespace arbor::app {

// One command of a new manifest, run once in the sandbox as a campaign would run it.
struct Attempt {
  std::string role;  // "build", "check", "bench"
  bool is_ok = false;
  double seconds = 0;
  std::string ended;       // "ended with code 2", "did not end within 30m"
  std::string last_lines;  // of its output; empty when it is ok
  std::string advice;      // how to fix it, or what would make it better
};

// A command on a built tree that is its own judge, with the golden seed. Fills in what else the
// order needs.
base::Result<ports::LaunchOutcome> launch_on(Workshop& workshop, const workspace::BuiltTree& tree,
                                             workspace::Builder::LaunchOrder order,
                                             std::stop_token stop);

// The last commit built from a clean checkout, or how that failed.
base::Result<std::variant<workspace::BuiltTree, Attempt>> try_build(Workshop& workshop,
                                                                    Terminal& terminal,
                                                                    std::stop_token stop);

// The build of the last commit from a clean checkout, then check and bench on what it built; after
// the first that fails nothing more is tried. A check that compares outputs runs twice, so that
// what differs from run to run is noticed. Errors are the world's: no sandbox, no disk, a stop.
base::Result<std::vector<Attempt>> try_commands(Workshop& workshop, Terminal& terminal,
                                                std::stop_token stop);

}  // namespace arbor::app
