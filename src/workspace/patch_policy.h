// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "workspace/git.h"
#include "workspace/repository.h"

namespace arbor::workspace {

// What a patch may write, judged by the difference that it really made. Globs of the manifest are
// relative to the program's folder; what lies outside of it needs a glob that says so
// ("../lib/**").
class PatchJudge {
 public:
  PatchJudge(const Repository::PatchPolicy& policy, const std::string& program_folder);

  // existing: all paths of the parent tree, sorted. kUsage names file and rule.
  base::Result<void> judge(const std::vector<TreeChange>& changes,
                           const std::vector<std::string>& existing) const;

 private:
  std::string problem_of(const TreeChange& change) const;

  std::vector<std::string> allow_, deny_, protected_;
};

}  // namespace arbor::workspace
