// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "domain/manifest.h"
#include "workspace/git.h"
#include "workspace/repository.h"

namespace arbor::workspace {

// Globs of what a check or bench command judges by, whether it is declared as harness or not: the
// files that its words name, and the build files where make or ctest runs the tests.
std::vector<std::string> judging_files(std::string_view command);
// Of a program that is its own source, what its bench names is the program and no judge.
std::vector<std::string> judging_files(const domain::Manifest& manifest, std::string_view command,
                                       bool is_its_source);

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
  std::vector<std::string> beside_;  // where nothing new may come to be
};

}  // namespace arbor::workspace
