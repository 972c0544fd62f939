// SPDX-License-Identifier: Apache-2.0
#include "workspace/snapshot.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "workspace/large_files.h"
#include "workspace/submodules.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr int kMaxNesting = 16;  // a submodule that contains itself ends here

Result<std::string> snapshot_at(const WorkTree& work_tree, int depth);

// A copy of the user's index, whose file times save reading every file and whose skip-worktree
// marks keep what a sparse checkout leaves out; HEAD's files where it cannot be read.
Result<void> borrow_index(const WorkTree& work_tree, const Git& git, const fs::path& index) {
  const fs::path users = work_tree.user_git_dir / "index";
  std::error_code ignored;
  if (const auto bytes = base::read_file(users)) {
    // With its own time: entries as young as the index itself are compared by content.
    const auto time = fs::last_write_time(users, ignored);
    ARBOR_TRY_VOID(base::write_file(index, *bytes));
    if (!ignored) fs::last_write_time(index, time, ignored);
  }
  ARBOR_TRY(const auto readable, git.try_run({"ls-files", "-z"}));
  if (readable.exit_code == 0 && !readable.standard_output.empty()) return {};
  fs::remove(index, ignored);
  ARBOR_TRY_VOID(git.run({"read-tree", work_tree.head}));
  return {};
}

Result<void> take_files(const WorkTree& work_tree, const Git& git) {
  ARBOR_TRY(const std::string changed, git.run({"ls-files", "-z", "--modified", "--deleted",
                                                "--others", "--exclude-standard"}));
  std::vector<std::string> paths = split_nul(changed);
  // An untracked repository within the repository is listed as a folder; it is not ours to take.
  std::erase_if(paths, [](const std::string& path) { return path.ends_with('/'); });
  std::error_code ignored;
  if (fs::exists(work_tree.user_common_dir / "lfs", ignored))
    ARBOR_TRY_VOID(drop_unchanged_large_files(git, work_tree.folder, paths));
  std::string list;
  for (const auto& path : paths) list += path + '\0';
  ARBOR_TRY_VOID(git.run({"update-index", "-z", "--add", "--remove", "--stdin"}, list));
  return {};
}

// The paths of the index that are submodules.
Result<std::vector<std::string>> submodules_in(const Git& git) {
  ARBOR_TRY(const std::string staged, git.run({"ls-files", "-z", "--stage"}));
  std::vector<std::string> paths;
  for (const auto& record : split_nul(staged))  // "MODE OBJECT STAGE\tPATH"
    if (const auto tab = record.find('\t');
        tab != std::string::npos && record.starts_with(kSubmoduleMode))
      paths.push_back(record.substr(tab + 1));
  return paths;
}

// Files of a submodule that differ from its own HEAD become a commit on top of that.
Result<void> take_submodule(const WorkTree& outer, const Git& index, const std::string& path,
                            int depth) {
  const fs::path folder = outer.folder / path;
  const fs::path git_dir = git_dir_in(folder);
  if (git_dir.empty()) return {};  // never initialised: the user's tree has nothing there either
  const auto head = Git::in_folder(folder).line({"rev-parse", "--verify", "HEAD^{commit}"});
  if (!head) return {};
  const Git git = outer.git.with_more_objects(git_dir / "objects");
  ARBOR_TRY(const std::string tree,
            snapshot_at({git, git_dir, git_dir, folder, *head, outer.scratch_dir}, depth + 1));
  ARBOR_TRY(const std::string clean, git.line({"rev-parse", "--verify", *head + "^{tree}"}));
  if (tree == clean) return {};
  ARBOR_TRY(const std::string commit, commit_as_found(git, tree, *head));
  ARBOR_TRY_VOID(index.run({"update-index", "--add", "--cacheinfo",
                            fmt::format("{},{},{}", kSubmoduleMode, commit, path)}));
  return {};
}

Result<std::string> snapshot_at(const WorkTree& work_tree, int depth) {
  if (depth > kMaxNesting)
    return base::fail(ErrorKind::kUsage, fmt::format("submodules are nested deeper than {} at '{}'",
                                                     kMaxNesting, work_tree.folder.string()));
  ARBOR_TRY(const auto scratch, base::ScratchDir::create(work_tree.scratch_dir, "index-"));
  const fs::path index = scratch.path() / "index";
  const Git git = work_tree.git.with_index(index).with_work_tree(work_tree.folder);
  ARBOR_TRY_VOID(borrow_index(work_tree, git, index));
  ARBOR_TRY_VOID(take_files(work_tree, git));
  ARBOR_TRY(const auto submodules, submodules_in(git));
  for (const auto& path : submodules) ARBOR_TRY_VOID(take_submodule(work_tree, git, path, depth));
  return git.line({"write-tree"});
}

}  // namespace

Result<std::string> snapshot_of(const WorkTree& work_tree) { return snapshot_at(work_tree, 0); }

Result<std::string> commit_as_found(const Git& git, const std::string& tree,
                                    const std::string& parent) {
  ARBOR_TRY(const std::string date, git.line({"show", "-s", "--format=%ct", parent}));
  return git.with_date(date + " +0000")
      .line({"commit-tree", tree, "-p", parent}, "Work tree as found\n");
}

}  // namespace arbor::workspace
