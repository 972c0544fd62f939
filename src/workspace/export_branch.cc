// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <system_error>

#include "base/text.h"
#include "workspace/git.h"
#include "workspace/repository.h"

// What leaves Arbor's own repository: commits with their final messages, and the one place that
// writes to the user's repository, new objects and one branch.
namespace arbor::workspace {
using base::ErrorKind;
using base::Result;

namespace {

Result<void> check_not_in_use(const Git& user, const std::string& branch, const std::string& ref) {
  ARBOR_TRY(const std::string trees, user.run({"worktree", "list", "--porcelain"}));
  for (const auto line : base::lines_of(trees))
    if (line == "branch " + ref)
      return base::fail(ErrorKind::kUsage,
                        fmt::format("branch '{}' is checked out; choose another name", branch));
  return {};
}

}  // namespace

Result<std::string> Repository::recommit(const std::string& commit, const std::string& parent,
                                         const std::string& message) const {
  ARBOR_TRY_VOID(check_object_name(parent));
  ARBOR_TRY(const std::string tree, tree_id(commit));
  return commit_tree(tree, parent, message.ends_with('\n') ? message : message + "\n");
}

Result<void> Repository::check_branch_name(const std::string& branch) {
  const Git nowhere = Git::in_folder("/");  // else "@{-1}" would be a branch of some repository
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"check-ref-format", "--branch", branch},
        std::vector<std::string>{"check-ref-format", "refs/heads/" + branch}}) {
    ARBOR_TRY(const auto answer, nowhere.try_run(question));
    if (answer.exit_code != 0)
      return base::fail(ErrorKind::kUsage,
                        fmt::format("'{}' is no name that git lets a branch have; 'git help "
                                    "check-ref-format' says what is",
                                    base::printable(branch)));
  }
  return {};
}

Result<void> Repository::export_branch(const std::string& branch, const std::string& tip_commit,
                                       bool is_forced) const {
  ARBOR_TRY_VOID(check_branch_name(branch));
  ARBOR_TRY_VOID(check_object_name(tip_commit));
  const Git user(user_common_dir_);
  const std::string ref = "refs/heads/" + branch;
  ARBOR_TRY_VOID(check_not_in_use(user, branch, ref));
  ARBOR_TRY(const auto existing, user.try_run({"rev-parse", "--verify", "--quiet", ref}));
  const std::string before(base::trim(existing.standard_output));
  if (before == tip_commit) return {};
  if (!before.empty() && !is_forced)
    return base::fail(
        ErrorKind::kUsage,
        fmt::format("branch '{}' exists already in '{}'; choose another name, or force "
                    "it",
                    branch, toplevel_.string()));
  // What Arbor's own store holds and the user's does not.
  ARBOR_TRY(const std::string anchor, anchor_of(tip_commit));
  ARBOR_TRY(const std::string pack, Git(git_dir_).run({"pack-objects", "--revs", "--local",
                                                       "--stdout", "--quiet", "--threads=1"},
                                                      tip_commit + "\n^" + anchor + "\n"));
  ARBOR_TRY_VOID(user.run({"unpack-objects", "-q"}, pack));
  const std::string expected = before.empty() ? std::string(tip_commit.size(), '0') : before;
  ARBOR_TRY_VOID(user.run({"update-ref", "-m", "arbor: export", ref, tip_commit, expected}));
  return {};
}

}  // namespace arbor::workspace
