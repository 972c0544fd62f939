// SPDX-License-Identifier: Apache-2.0
#include "workspace/repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "base/owner.h"
#include "base/text.h"
#include "workspace/arbor_folder.h"
#include "workspace/git.h"
#include "workspace/own_git.h"
#include "workspace/snapshot.h"

// Opening, and everything that only reads. Patches: apply.cc; trees on disk: checkout.cc.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

Result<fs::path> real_folder(const fs::path& path) {
  std::error_code failed;
  fs::path real = fs::canonical(path, failed);
  if (failed || !fs::is_directory(real, failed))
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' is no folder", base::printable(path.string())));
  return real;
}

// Why a folder has no work tree that git knows, and the way out of that.
std::string no_work_tree(const Git& git, const fs::path& root) {
  const auto is_bare = git.line({"rev-parse", "--is-bare-repository"});
  if (is_bare && *is_bare == "true")
    return fmt::format(
        "'{}' is a bare git repository, which holds no files to build; run `git clone "
        "{} DIR` and go there",
        base::printable(root.string()), base::shell_quoted(root.string()));
  const auto is_inside = git.line({"rev-parse", "--is-inside-git-dir"});
  if (is_inside && *is_inside == "true")
    return fmt::format("'{}' lies inside of a .git folder; go to the folder that holds the program",
                       base::printable(root.string()));
  return fmt::format(
      "'{}' is not in the work tree of a git repository; run `git init && git add -A "
      "&& git commit` there first",
      base::printable(root.string()));
}

Result<fs::path> top_of(const fs::path& program_root) {
  const Git git = Git::in_folder(program_root);
  const auto top = git.line({"rev-parse", "--show-toplevel"});
  if (!top && top.error().kind != ErrorKind::kInternal) return std::unexpected(top.error());
  if (!top || top->empty()) return base::fail(ErrorKind::kUsage, no_work_tree(git, program_root));
  return real_folder(*top);
}

// The top of the program's repository, which has at least one commit.
Result<fs::path> committed_top_of(const fs::path& root) {
  ARBOR_TRY(const fs::path top, top_of(root));
  const auto head =
      Git::in_folder(root).line({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"});
  if (head) return top;
  return base::fail(ErrorKind::kUsage,
                    fmt::format("the repository '{}' has no commit yet; run `git add -A && git "
                                "commit` there first",
                                base::printable(top.string())));
}

}  // namespace

Result<void> Repository::check_program(const fs::path& program_root) {
  ARBOR_TRY(const fs::path root, real_folder(program_root));
  ARBOR_TRY_VOID(committed_top_of(root));
  return {};
}

Result<Repository> Repository::open(const fs::path& program_root, const fs::path& arbor_dir) {
  Repository repository;
  ARBOR_TRY(const fs::path root, real_folder(program_root));
  ARBOR_TRY(repository.toplevel_, committed_top_of(root));
  const fs::path below = root.lexically_relative(repository.toplevel_);
  if (below.empty() || *below.begin() == "..")
    return base::fail(ErrorKind::kUsage, fmt::format("'{}' lies outside of its work tree '{}'",
                                                     root.string(), repository.toplevel_.string()));
  if (below != ".") repository.program_folder_ = below;

  const Git user = Git::in_folder(root);
  ARBOR_TRY(repository.user_git_dir_, user.line({"rev-parse", "--absolute-git-dir"}));
  ARBOR_TRY(repository.user_common_dir_,
            user.line({"rev-parse", "--path-format=absolute", "--git-common-dir"}));
  ARBOR_TRY(const std::string format, user.line({"rev-parse", "--show-object-format"}));

  ARBOR_TRY_VOID(make_arbor_folder(arbor_dir));
  ARBOR_TRY(const fs::path arbor, real_folder(arbor_dir));
  repository.git_dir_ = arbor / "git";
  repository.scratch_dir_ = arbor / "tmp";
  base::sweep(repository.scratch_dir_);
  ARBOR_TRY_VOID(make_own_git(repository.git_dir_, repository.user_common_dir_, format));
  return repository;
}

Result<std::string> Repository::baseline_commit(bool include_dirty) const {
  ARBOR_TRY(const std::string head,
            Git::in_folder(toplevel_).line({"rev-parse", "--verify", "HEAD^{commit}"}));
  if (!include_dirty) return head;
  ARBOR_TRY(const std::string tree, snapshot_tree());
  ARBOR_TRY(const std::string head_tree, tree_id(head));
  if (tree == head_tree) return head;
  return commit_as_found(Git(git_dir_), tree, head);
}

Result<std::string> Repository::commit_tree(const std::string& tree, const std::string& parent,
                                            const std::string& message) const {
  const Git git(git_dir_);
  const auto date = git.line({"show", "-s", "--format=%ct", parent});
  if (!date) return failed_at(parent, date.error());
  return git.with_date(*date + " +0000").line({"commit-tree", tree, "-p", parent}, message);
}

Result<std::vector<std::string>> Repository::dirty_files() const {
  ARBOR_TRY(const std::string head, baseline_commit(false));
  ARBOR_TRY(const std::string tree, snapshot_tree());
  ARBOR_TRY(const auto changes, tree_changes(Git(git_dir_), head, tree));
  std::vector<std::string> files;
  for (const auto& change : changes) files.push_back(change.path);
  return files;
}

Result<std::string> Repository::snapshot_tree() const {
  ARBOR_TRY(const std::string head, baseline_commit(false));
  return snapshot_of(
      {Git(git_dir_), user_git_dir_, user_common_dir_, toplevel_, head, scratch_dir_});
}

Result<std::string> Repository::diff(const std::string& from_commit,
                                     const std::string& to_commit) const {
  ARBOR_TRY_VOID(check_object_name(from_commit));
  ARBOR_TRY_VOID(check_object_name(to_commit));
  auto text =
      Git(git_dir_).run({"diff-tree", "-r", "-p", "--full-index", "--binary", "--no-renames",
                         "--no-ext-diff", "--no-textconv", "--no-color", from_commit, to_commit});
  if (text) return text;
  auto failure = failed_at(from_commit, text.error());
  return failed_at(to_commit, std::move(failure).error());
}

Result<std::string> Repository::diff_since_head(const std::string& revision) const {
  const Git user = Git::in_folder(toplevel_);
  const auto tip =
      user.line({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!tip || !is_object_name(*tip))
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' is no branch, tag or commit of '{}'; `git branch -a` lists "
                                  "the branches",
                                  base::printable(revision), toplevel_.string()));
  const auto base_commit = user.line({"merge-base", "HEAD", *tip});
  if (!base_commit)
    return base::fail(ErrorKind::kUsage, fmt::format("'{}' has no commit in common with HEAD",
                                                     base::printable(revision)));
  ARBOR_TRY(std::string text, diff(*base_commit, *tip));
  if (text.empty())
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' changes nothing since it left HEAD at {}",
                                  base::printable(revision), base_commit->substr(0, 10)));
  return text;
}

Result<std::string> Repository::tree_id(const std::string& commit) const {
  ARBOR_TRY_VOID(check_object_name(commit));
  auto tree = Git(git_dir_).line({"rev-parse", "--verify", commit + "^{tree}"});
  if (!tree) return failed_at(commit, tree.error());
  return tree;
}

Result<std::string> Repository::parent_of(const std::string& commit) const {
  ARBOR_TRY_VOID(check_object_name(commit));
  auto parent = Git(git_dir_).line({"rev-parse", "--verify", commit + "^"});
  if (!parent) return failed_at(commit, parent.error());
  return parent;
}

Result<std::string> Repository::read_file(const std::string& commit,
                                          const std::string& path) const {
  ARBOR_TRY_VOID(check_object_name(commit));
  const Git git(git_dir_);
  ARBOR_TRY(const auto found, git.try_run({"cat-file", "-e", commit + ":" + path}));
  if (found.exit_code != 0)
    return failed_at(commit, {ErrorKind::kNotFound, fmt::format("no file '{}' in commit {}", path,
                                                                commit.substr(0, 12))});
  return git.run({"cat-file", "blob", commit + ":" + path});
}

std::unexpected<base::Error> Repository::failed_at(const std::string& commit,
                                                   base::Error error) const {
  const auto found = Git(git_dir_).try_run({"cat-file", "-e", commit + "^{tree}"});
  if (!found || found->exit_code == 0) return std::unexpected(std::move(error));
  return base::fail(
      ErrorKind::kCorrupt,
      fmt::format("commit {} is gone from the repository '{}' (git removes what no branch or tag "
                  "holds, some time after a rebase or an amended commit); the campaign needs it: "
                  "fetch it again from where it still is, or start anew with 'arbor run --fresh'",
                  commit.substr(0, 12), base::printable(toplevel_.string())));
}

}  // namespace arbor::workspace
