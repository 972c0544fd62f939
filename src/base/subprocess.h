// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"

namespace arbor::base {

// A trusted tool of the parent (git, a compiler asked for its version). Whatever comes from the
// program under optimisation runs in the sandbox port instead.
struct ToolCall {
  std::vector<std::string> argv;
  std::filesystem::path cwd;                       // empty: the parent's
  std::map<std::string, std::string> environment;  // the whole environment but for PATH and HOME
  std::string standard_input;
  double timeout_s = 120;
  std::size_t max_output_bytes = 64UL << 20;  // more is cut off and noted in is_truncated
};

struct ToolOutput {
  int exit_code = -1;  // 128 + signal when killed
  std::string standard_output;
  std::string standard_error;
  bool is_truncated = false;
};

// Blocking; the child runs in a process group of its own, killed whole on timeout or stop.
// Errors: kNotFound (no such program), kTimeout, kCancelled, kIo. A non-zero exit is not an error.
Result<ToolOutput> run_tool(const ToolCall& call, std::stop_token stop = {});

// As run_tool, but a non-zero exit is an error that quotes the tool's last words.
Result<std::string> run_tool_ok(const ToolCall& call, std::stop_token stop = {});

}  // namespace arbor::base
