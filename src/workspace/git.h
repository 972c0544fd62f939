// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/subprocess.h"

namespace arbor::workspace {

// One git, run so that nothing of a repository's configuration or content can start a program:
// hooks, fsmonitor, filters, attributes and configuration of user and system are off. Filters stay
// off because git_dir is Arbor's own repository, whose configuration is written afresh whenever it
// is opened (own_git.h) and defines none. Immutable, hence thread-safe.
class Git {
 public:
  explicit Git(std::filesystem::path git_dir) : git_dir_(std::move(git_dir)) {}
  // git that finds its repository from a folder; only for questions about the user's repository.
  static Git in_folder(std::filesystem::path folder);

  Git with_index(std::filesystem::path index) const;           // instead of the repository's own
  Git with_work_tree(std::filesystem::path work_tree) const;   // and run inside of it
  Git with_more_objects(std::filesystem::path objects) const;  // searched for objects too

  Git with_date(std::string date) const;  // of author and committer

  base::Result<std::string> run(std::vector<std::string> arguments, std::string input = {}) const;
  // The exit code is the caller's to judge.
  base::Result<base::ToolOutput> try_run(std::vector<std::string> arguments,
                                         std::string input = {}) const;
  // run, without the line end of a one-line answer.
  base::Result<std::string> line(std::vector<std::string> arguments, std::string input = {}) const;

  const std::filesystem::path& git_dir() const { return git_dir_; }

 private:
  base::ToolCall call_of(std::vector<std::string> arguments, std::string input) const;

  std::filesystem::path git_dir_, folder_, index_, work_tree_;
  std::string date_;
  std::vector<std::filesystem::path> more_objects_;
};

// A path as git reads it in a list of object folders, whatever bytes it holds.
std::string quoted_for_git(const std::filesystem::path& path);

// The parts of an output whose records end with NUL.
std::vector<std::string> split_nul(std::string_view text);

// A full object name and nothing else: a revision could be an option or a path.
bool is_object_name(std::string_view text);
base::Result<void> check_object_name(std::string_view text);  // kUsage

// One changed path between two trees, as `git diff-tree --raw -r` says it.
struct TreeChange {
  std::string old_mode, new_mode;  // "000000" where the path is absent
  std::string old_object, new_object;
  std::string path;
  bool operator==(const TreeChange&) const = default;
};
base::Result<std::vector<TreeChange>> tree_changes(const Git& git, const std::string& from,
                                                   const std::string& to);

struct TreeEntry {
  std::string mode, object, path;
};
// All files, links and submodules of a tree, at any depth.
base::Result<std::vector<TreeEntry>> tree_entries(const Git& git, const std::string& tree);

inline constexpr std::string_view kSymlinkMode = "120000";
inline constexpr std::string_view kSubmoduleMode = "160000";
inline constexpr std::string_view kAbsentMode = "000000";

}  // namespace arbor::workspace
