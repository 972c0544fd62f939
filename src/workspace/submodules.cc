// SPDX-License-Identifier: Apache-2.0
#include "workspace/submodules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/large_files.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr int kMaxNesting = 16;  // a submodule that contains itself ends here

bool stays_inside(const fs::path& path) {
  return !path.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

// path → name, from the .gitmodules that the tree itself holds.
Result<std::map<std::string, std::string>> names_of(const TreeSource& source,
                                                    const std::string& tree) {
  std::map<std::string, std::string> names;
  ARBOR_TRY(const auto listed,
            source.git.try_run({"config", "--blob", tree + ":.gitmodules", "--no-includes", "-z",
                                "--get-regexp", "^submodule\\..*\\.path$"}));
  if (listed.exit_code != 0) return names;
  for (const auto& record : split_nul(listed.standard_output)) {  // "submodule.NAME.path\nPATH"
    const auto end = record.find('\n');
    constexpr std::size_t kBefore = std::string_view("submodule.").size();
    constexpr std::size_t kAfter = std::string_view(".path").size();
    if (end == std::string::npos || end < kBefore + kAfter) continue;
    names[record.substr(end + 1)] = record.substr(kBefore, end - kBefore - kAfter);
  }
  return names;
}

// The git folder of a submodule that the user has; empty where it was never initialised.
fs::path git_dir_of(const TreeSource& source, const std::string& path, const std::string& name) {
  if (const fs::path own = git_dir_in(source.user_work_tree / path); !own.empty()) return own;
  std::error_code failed;
  const fs::path module = source.user_common_dir / "modules" / name;
  if (stays_inside(name) && fs::is_directory(module / "objects", failed)) return module;
  return {};
}

Result<void> write_level(const TreeSource& source, const std::string& tree,
                         const std::vector<std::string>& paths, const fs::path& folder, int depth);

// Whatever is no folder on the way to a path is removed: a build may have left a link there.
Result<void> clear_place(const fs::path& folder, const fs::path& path) {
  std::error_code failed;
  fs::path at = folder;
  for (const auto& part : path.parent_path()) {
    at /= part;
    if (!fs::is_directory(fs::symlink_status(at, failed))) fs::remove(at, failed);
  }
  base::remove_tree(folder / path);
  fs::create_directories(folder / path, failed);
  if (!failed) return {};
  return base::fail(ErrorKind::kIo, fmt::format("cannot create '{}': {}", (folder / path).string(),
                                                failed.message()));
}

Result<void> write_submodule(const TreeSource& source, const TreeEntry& entry,
                             const std::string& name, const fs::path& folder, int depth) {
  ARBOR_TRY_VOID(clear_place(folder, entry.path));
  const fs::path git_dir = git_dir_of(source, entry.path, name);
  if (git_dir.empty()) return {};  // the user's own tree has an empty folder here, too
  TreeSource inner = source;
  inner.git = source.git.with_more_objects(git_dir / "objects");
  inner.user_common_dir = git_dir;
  inner.user_work_tree = source.user_work_tree / entry.path;
  ARBOR_TRY(const auto found, inner.git.try_run({"cat-file", "-e", entry.object + "^{tree}"}));
  if (found.exit_code != 0)
    return base::fail(
        ErrorKind::kUsage,
        fmt::format("submodule '{}' lacks commit {}; run `git submodule update --init "
                    "--recursive` in your repository",
                    entry.path, entry.object.substr(0, 12)));
  return write_level(inner, entry.object, {}, folder / entry.path, depth + 1);
}

Result<void> write_files(const TreeSource& source, const std::string& tree,
                         const std::vector<std::string>& files, const fs::path& folder) {
  ARBOR_TRY(const auto scratch, base::ScratchDir::create(source.scratch_dir, "index-"));
  const Git git = source.git.with_index(scratch.path() / "index").with_work_tree(folder);
  ARBOR_TRY_VOID(git.run({"read-tree", tree}));
  std::string list;
  for (const auto& file : files) list += file + '\0';
  ARBOR_TRY_VOID(git.run({"checkout-index", "--force", "--quiet", "-z", "--stdin"}, list));
  return fill_large_files(source.user_common_dir / "lfs/objects", folder, files);
}

Result<void> write_level(const TreeSource& source, const std::string& tree,
                         const std::vector<std::string>& paths, const fs::path& folder, int depth) {
  if (depth > kMaxNesting)
    return base::fail(ErrorKind::kUsage, fmt::format("submodules are nested deeper than {} at '{}'",
                                                     kMaxNesting, folder.string()));
  ARBOR_TRY(const auto entries, tree_entries(source.git, tree));
  ARBOR_TRY(auto names, names_of(source, tree));
  const std::set<std::string> wanted(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& entry : entries)
    if ((paths.empty() || wanted.contains(entry.path)) && entry.mode != kSubmoduleMode)
      files.push_back(entry.path);
  ARBOR_TRY_VOID(write_files(source, tree, files, folder));
  for (const auto& entry : entries)
    if ((paths.empty() || wanted.contains(entry.path)) && entry.mode == kSubmoduleMode)
      ARBOR_TRY_VOID(write_submodule(source, entry, names[entry.path], folder, depth));
  return {};
}

}  // namespace

fs::path git_dir_in(const fs::path& work_tree) {
  std::error_code failed;
  const fs::path dot_git = work_tree / ".git";
  if (fs::is_directory(dot_git / "objects", failed)) return dot_git;
  const auto link = base::read_file(dot_git);
  if (!link || !link->starts_with("gitdir: ")) return {};
  const fs::path target = work_tree / std::string(base::trim(link->substr(8)));
  return fs::is_directory(target / "objects", failed) ? target.lexically_normal() : fs::path();
}

Result<void> write_tree_files(const TreeSource& source, const std::string& tree,
                              const std::vector<std::string>& paths, const fs::path& folder) {
  return write_level(source, tree, paths, folder, 0);
}

}  // namespace arbor::workspace
