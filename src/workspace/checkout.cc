// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"
#include "workspace/repository.h"
#include "workspace/submodules.h"

// Commits as plain files on disk.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

// Removes one file of a tree and the folders it leaves empty, as git would. A link on the way is
// not followed: what it replaced is gone already.
void remove_file(const fs::path& folder, const fs::path& path) {
  std::error_code failed;
  fs::path at = folder;
  for (const auto& part : path.parent_path()) {
    at /= part;
    if (!fs::is_directory(fs::symlink_status(at, failed)) || failed) return;
  }
  base::remove_tree(folder / path);
  for (fs::path up = path.parent_path(); !up.empty(); up = up.parent_path()) {
    fs::remove(folder / up, failed);
    if (failed) return;
  }
}

}  // namespace

Result<void> Repository::checkout(const std::string& commit, const fs::path& folder) const {
  ARBOR_TRY_VOID(check_object_name(commit));
  std::error_code failed;
  if (fs::exists(fs::symlink_status(folder, failed)))
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot check out to '{}': it exists", folder.string()));
  fs::create_directories(folder, failed);
  if (failed)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot create '{}': {}", folder.string(), failed.message()));
  const TreeSource source{Git(git_dir_), user_common_dir_, toplevel_, scratch_dir_};
  if (auto written = write_tree_files(source, commit, {}, folder); !written)
    return failed_at(commit, written.error());
  return put_synthetic_git(commit, folder);
}

Result<void> Repository::move_checkout(const fs::path& folder, const std::string& from_commit,
                                       const std::string& to_commit) const {
  ARBOR_TRY_VOID(check_object_name(from_commit));
  ARBOR_TRY_VOID(check_object_name(to_commit));
  const TreeSource source{Git(git_dir_), user_common_dir_, toplevel_, scratch_dir_};
  const auto changes = tree_changes(source.git, from_commit, to_commit);
  if (!changes) {
    auto failure = failed_at(from_commit, changes.error());
    return failed_at(to_commit, std::move(failure).error());
  }
  std::vector<std::string> written;
  for (const auto& change : *changes) {
    if (change.new_mode == kAbsentMode)
      remove_file(folder, change.path);
    else
      written.push_back(change.path);
  }
  if (!written.empty()) ARBOR_TRY_VOID(write_tree_files(source, to_commit, written, folder));
  return put_synthetic_git(to_commit, folder);
}

Result<std::vector<std::string>> Repository::files_as_checked_out(
    const std::string& commit, const fs::path& folder, std::vector<std::string> paths) const {
  if (paths.empty()) return paths;
  ARBOR_TRY_VOID(check_object_name(commit));
  const Git git(git_dir_);
  const auto entries = tree_entries(git, commit);
  if (!entries) return failed_at(commit, entries.error());
  std::map<std::string, std::string> objects;
  for (const auto& entry : *entries)
    if (entry.mode != kSymlinkMode && entry.mode != kSubmoduleMode)
      objects[entry.path] = entry.object;
  // git takes one path a line, and a quote at its start for its own way of writing names.
  std::erase_if(paths, [&](const std::string& path) {
    std::error_code failed;
    return path.contains('\n') || !objects.contains(path) ||
           !fs::is_regular_file(fs::symlink_status(folder / path, failed));
  });
  if (paths.empty()) return paths;
  std::string input;
  for (const auto& path : paths) input += fs::absolute(folder / path).string() + '\n';
  ARBOR_TRY(const std::string hashes,
            git.run({"hash-object", "--no-filters", "--stdin-paths"}, input));
  const auto lines = base::lines_of(hashes);
  if (lines.size() < paths.size())
    return base::fail(ErrorKind::kIo, fmt::format("git hashed {} of {} files of '{}'", lines.size(),
                                                  paths.size(), folder.string()));
  std::vector<std::string> same;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (objects.at(paths[i]) == lines[i]) same.push_back(paths[i]);
  std::ranges::sort(same);
  return same;
}

}  // namespace arbor::workspace
