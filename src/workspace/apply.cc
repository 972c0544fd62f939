// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"
#include "workspace/patch_policy.h"
#include "workspace/patch_scan.h"
#include "workspace/repository.h"

// A diff becomes a commit without any work tree: git applies it to an index, the policy judges the
// difference of the two trees, and only then a commit is made.
namespace arbor::workspace {
using base::ErrorKind;
using base::Result;

namespace {

// Exactly as written first; then with its line counts recounted, which models often get wrong.
Result<void> apply_to_index(const Git& git, const std::string& diff) {
  std::string words;
  for (const bool recounts : {false, true}) {
    std::vector<std::string> command = {"apply", "--cached", "--whitespace=nowarn", "-p1"};
    if (recounts) command.emplace_back("--recount");
    command.emplace_back("-");
    ARBOR_TRY(const auto output, git.try_run(command, diff));
    if (output.exit_code == 0) return {};
    if (words.empty()) words = output.standard_error;
  }
  return base::fail(
      ErrorKind::kUsage,
      "patch does not apply: " + base::shortened(base::printable(base::trim(words)), 2000));
}

}  // namespace

Result<Repository::AppliedPatch> Repository::apply(const std::string& parent_commit,
                                                   const std::string& diff,
                                                   const std::string& message,
                                                   const PatchPolicy& policy) const {
  ARBOR_TRY_VOID(check_object_name(parent_commit));
  ARBOR_TRY_VOID(scan_patch(diff));
  ARBOR_TRY(const auto scratch, base::ScratchDir::create(scratch_dir_, "index-"));
  const Git git = Git(git_dir_).with_index(scratch.path() / "index");
  ARBOR_TRY_VOID(git.run({"read-tree", parent_commit}));
  ARBOR_TRY_VOID(apply_to_index(git, diff.ends_with('\n') ? diff : diff + "\n"));
  ARBOR_TRY(const std::string tree, git.line({"write-tree"}));
  ARBOR_TRY(const auto changes, tree_changes(git, parent_commit, tree));
  ARBOR_TRY(const auto entries, tree_entries(git, parent_commit));
  std::vector<std::string> existing;
  for (const auto& entry : entries) existing.push_back(entry.path);
  ARBOR_TRY_VOID(PatchJudge(policy, program_folder_.string()).judge(changes, existing));

  AppliedPatch applied;
  for (const auto& change : changes) applied.files.push_back(change.path);
  ARBOR_TRY(applied.commit,
            commit_tree(tree, parent_commit, message.ends_with('\n') ? message : message + "\n"));
  return applied;
}

}  // namespace arbor::workspace
