// SPDX-License-Identifier: Apache-2.0
#include "workspace/repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "base/owner.h"
#include "base/text.h"
#include "workspace/git.h"
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
    return base::fail(ErrorKind::kUsage, fmt::format("'{}' is no folder", path.string()));
  return real;
}

Result<fs::path> top_of(const fs::path& program_root) {
  const Git git = Git::in_folder(program_root);
  const auto top = git.line({"rev-parse", "--show-toplevel"});
  if (!top && top.error().kind != ErrorKind::kInternal) return std::unexpected(top.error());
  if (!top || top->empty())
    return base::fail(ErrorKind::kUsage,
                      fmt::format("'{}' is not in the work tree of a git repository; run `git init "
                                  "&& git add -A && git commit` there first",
                                  program_root.string()));
  return real_folder(*top);
}

// A file of the user's repository becomes a file of ours; one that is absent there is removed.
Result<void> mirror(const fs::path& from, const fs::path& to) {
  auto bytes = base::read_file(from);
  std::error_code ignored;
  if (!bytes) return fs::remove(to, ignored), Result<void>();
  return base::write_file(to, *bytes);
}

// Settings of the user's repository that say how its files look on this disk; nothing else of its
// configuration is taken over.
Result<void> mirror_settings(const Git& own, const fs::path& user_common_dir) {
  const std::string user_config = (user_common_dir / "config").string();
  for (const std::string name : {"core.autocrlf", "core.eol", "core.fileMode"}) {
    ARBOR_TRY(auto got,
              own.try_run({"config", "--file", user_config, "--no-includes", "--get", name}));
    const std::string value(base::trim(got.standard_output));
    if (got.exit_code == 0 && !value.empty()) {
      ARBOR_TRY_VOID(own.run({"config", name, value}));
    } else {
      ARBOR_TRY_VOID(own.try_run({"config", "--unset-all", name}));
    }
  }
  return {};
}

Result<void> make_own(const fs::path& git_dir, const fs::path& user_common_dir,
                      const std::string& object_format) {
  std::error_code ignored;
  fs::create_directories(git_dir, ignored);
  const Git own(git_dir);
  if (!fs::exists(git_dir / "HEAD", ignored))
    ARBOR_TRY_VOID(own.run({"init", "--quiet", "--bare", "--template=", "--initial-branch=arbor",
                            "--object-format=" + object_format}));
  ARBOR_TRY_VOID(base::write_file(git_dir / "objects/info/alternates",
                                  (user_common_dir / "objects").string() + "\n"));
  ARBOR_TRY_VOID(mirror(user_common_dir / "shallow", git_dir / "shallow"));
  ARBOR_TRY_VOID(mirror(user_common_dir / "info/exclude", git_dir / "info/exclude"));
  return mirror_settings(own, user_common_dir);
}

}  // namespace

Result<Repository> Repository::open(const fs::path& program_root, const fs::path& arbor_dir) {
  Repository repository;
  ARBOR_TRY(const fs::path root, real_folder(program_root));
  ARBOR_TRY(repository.toplevel_, top_of(root));
  const fs::path below = root.lexically_relative(repository.toplevel_);
  if (below.empty() || *below.begin() == "..")
    return base::fail(ErrorKind::kUsage, fmt::format("'{}' lies outside of its work tree '{}'",
                                                     root.string(), repository.toplevel_.string()));
  if (below != ".") repository.program_folder_ = below;

  const Git user = Git::in_folder(root);
  ARBOR_TRY(repository.user_git_dir_, user.line({"rev-parse", "--absolute-git-dir"}));
  ARBOR_TRY(repository.user_common_dir_,
            user.line({"rev-parse", "--path-format=absolute", "--git-common-dir"}));
  if (!user.line({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}))
    return base::fail(ErrorKind::kUsage,
                      fmt::format("the repository '{}' has no commit yet; run `git add -A && git "
                                  "commit` there first",
                                  repository.toplevel_.string()));
  ARBOR_TRY(const std::string format, user.line({"rev-parse", "--show-object-format"}));

  std::error_code failed;
  fs::create_directories(arbor_dir, failed);
  if (failed)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot create '{}': {}", arbor_dir.string(), failed.message()));
  ARBOR_TRY(const fs::path arbor, real_folder(arbor_dir));
  ARBOR_TRY_VOID(base::write_file(arbor / ".gitignore", "*\n"));
  repository.git_dir_ = arbor / "git";
  repository.scratch_dir_ = arbor / "tmp";
  base::sweep(repository.scratch_dir_);
  ARBOR_TRY_VOID(make_own(repository.git_dir_, repository.user_common_dir_, format));
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
  ARBOR_TRY(const std::string date, git.line({"show", "-s", "--format=%ct", parent}));
  return git.with_date(date + " +0000").line({"commit-tree", tree, "-p", parent}, message);
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
  return Git(git_dir_).run({"diff-tree", "-r", "-p", "--full-index", "--binary", "--no-renames",
                            "--no-ext-diff", "--no-textconv", "--no-color", from_commit,
                            to_commit});
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
  return Git(git_dir_).line({"rev-parse", "--verify", commit + "^{tree}"});
}

Result<std::string> Repository::parent_of(const std::string& commit) const {
  ARBOR_TRY_VOID(check_object_name(commit));
  return Git(git_dir_).line({"rev-parse", "--verify", commit + "^"});
}

Result<std::string> Repository::read_file(const std::string& commit,
                                          const std::string& path) const {
  ARBOR_TRY_VOID(check_object_name(commit));
  const Git git(git_dir_);
  ARBOR_TRY(const auto found, git.try_run({"cat-file", "-e", commit + ":" + path}));
  if (found.exit_code != 0)
    return base::fail(ErrorKind::kNotFound,
                      fmt::format("no file '{}' in commit {}", path, commit.substr(0, 12)));
  return git.run({"cat-file", "blob", commit + ":" + path});
}

}  // namespace arbor::workspace
