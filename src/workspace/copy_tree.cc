// SPDX-License-Identifier: Apache-2.0
#include "workspace/copy_tree.h"

#include "base/subprocess.h"

namespace arbor::workspace {

base::Result<void> copy_tree(const std::filesystem::path& from, const std::filesystem::path& to) {
  constexpr double kTimeoutS = 1800;  // a build tree of many gigabytes on a slow disk
  ARBOR_TRY_VOID(
      base::run_tool_ok({.argv = {"cp", "--archive", "--reflink=auto", "--no-target-directory",
                                  "--", from.string(), to.string()},
                         .cwd = {},
                         .environment = {{"LC_ALL", "C"}},
                         .standard_input = {},
                         .timeout_s = kTimeoutS}));
  return {};
}

}  // namespace arbor::workspace
