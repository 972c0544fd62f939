// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

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
// folder: what the paths of the diff are relative to; empty for the top.
Result<void> apply_to_index(const Git& git, const std::string& diff, const std::string& folder) {
  std::string words;
  for (const bool recounts : {false, true}) {
    std::vector<std::string> command = {"apply", "--cached", "--whitespace=nowarn", "-p1"};
    if (!folder.empty()) command.push_back("--directory=" + folder);
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

// `git diff --relative` in the program's folder leaves that folder out of its paths: so where no
// file that it names lies at the top, and one does below the folder.
bool is_relative_to(const std::string& folder, const std::set<std::string>& named,
                    const std::vector<std::string>& existing) {
  const auto is_there = [&](const std::string& path) {
    return std::ranges::binary_search(existing, path);
  };
  return !folder.empty() && std::ranges::none_of(named, is_there) &&
         std::ranges::any_of(
             named, [&](const std::string& path) { return is_there(folder + "/" + path); });
}

}  // namespace

Result<Repository::AppliedPatch> Repository::apply(const std::string& parent_commit,
                                                   const std::string& diff,
                                                   const std::string& message,
                                                   const PatchPolicy& policy) const {
  ARBOR_TRY_VOID(check_object_name(parent_commit));
  ARBOR_TRY(const std::set<std::string> named, scan_patch(diff));
  ARBOR_TRY(const auto scratch, base::ScratchDir::create(scratch_dir_, "index-"));
  const Git git = Git(git_dir_).with_index(scratch.path() / "index");
  if (auto read = git.run({"read-tree", parent_commit}); !read)
    return failed_at(parent_commit, read.error());
  ARBOR_TRY(const auto entries, tree_entries(git, parent_commit));
  std::vector<std::string> existing;
  for (const auto& entry : entries) existing.push_back(entry.path);
  std::ranges::sort(existing);
  const std::string folder = program_folder_.string();
  ARBOR_TRY_VOID(apply_to_index(git, diff.ends_with('\n') ? diff : diff + "\n",
                                is_relative_to(folder, named, existing) ? folder : ""));
  ARBOR_TRY(const std::string tree, git.line({"write-tree"}));
  ARBOR_TRY(const auto changes, tree_changes(git, parent_commit, tree));
  ARBOR_TRY_VOID(PatchJudge(policy, folder).judge(changes, existing));

  AppliedPatch applied;
  for (const auto& change : changes) applied.files.push_back(change.path);
  ARBOR_TRY(applied.commit,
            commit_tree(tree, parent_commit, message.ends_with('\n') ? message : message + "\n"));
  return applied;
}

}  // namespace arbor::workspace
