// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Finding and running the tools behind the shim. Part of the program arbor-shim.
namespace arbor::workspace {

std::string file_name_of(std::string_view path);
std::string real_path_of(const std::string& path);  // links followed; path itself when it fails

// PATH without the shim's own folder.
std::string path_below_shim();
// The first executable of that name behind the shim, compiler caches posing as compilers left out.
std::optional<std::string> find_below_shim(std::string_view name);

struct ToolRun {
  std::string program;  // absolute
  std::vector<std::string> argv;
  bool is_below_shim = true;   // PATH without the shim, and marked against recursion
  bool allows_ccache = false;  // a ccache that we call, not one above us
};

// Replaces this process; returns only when that failed, with the exit code to end with.
int become(const ToolRun& run);
// Runs it and waits, passing signals on. The wait status, or nothing when it did not start.
std::optional<int> run_and_wait(const ToolRun& run);
// Ends this process the way the child ended.
[[noreturn]] void end_like(int wait_status);
int exit_code_of(int wait_status);  // 128 + signal when killed

}  // namespace arbor::workspace
