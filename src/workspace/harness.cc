// SPDX-License-Identifier: Apache-2.0
#include "workspace/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "base/hash.h"
#include "workspace/artefacts.h"
#include "workspace/glob.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr std::size_t kMaxFileMounts = 256;  // each mount costs every launch a little

// For every folder: how many files it holds at any depth, and how many of them match.
struct Tally {
  std::size_t files = 0, matching = 0;
};

void count(std::map<fs::path, Tally>& tallies, const fs::path& file, bool matches) {
  for (fs::path up = file.parent_path(); !up.empty(); up = up.parent_path()) {
    ++tallies[up].files;
    if (matches) ++tallies[up].matching;
  }
}

// The file of the tree that a link leads to: the judge's as much as the link is.
std::optional<std::string> file_behind(const fs::path& tree, const fs::path& link) {
  std::error_code failed;
  const fs::path real = fs::canonical(tree / link, failed);
  if (failed || !fs::is_regular_file(real, failed)) return std::nullopt;
  const fs::path path = real.lexically_relative(fs::canonical(tree, failed));
  if (failed || path.empty() || *path.begin() == ".." || *path.begin() == ".git")
    return std::nullopt;
  return path.string();
}

std::unexpected<base::Error> tampered(const std::string& path, std::string_view how) {
  return base::fail(ErrorKind::kUsage,
                    fmt::format("the build put {} where the file '{}' belongs", how, path));
}

Result<void> add_entry(base::Hasher& hasher, const fs::path& tree, const std::string& path) {
  std::error_code failed;
  const auto status = fs::symlink_status(tree / path, failed);
  hasher.add(path).add(static_cast<std::int64_t>(status.type()));
  hasher.add(static_cast<std::int64_t>(status.permissions()));
  if (fs::is_symlink(status)) hasher.add(fs::read_symlink(tree / path, failed).string());
  if (fs::is_regular_file(status)) {
    ARBOR_TRY(const std::string content, file_hash(tree / path));
    hasher.add(content);
  }
  return {};
}

}  // namespace

Result<void> check_place(const fs::path& tree, const fs::path& path, PlaceFor kind) {
  std::error_code failed;
  fs::path at = tree;
  for (const auto& part : path.parent_path()) {
    at /= part;
    const auto status = fs::symlink_status(at, failed);
    if (status.type() == fs::file_type::not_found) return {};
    if (status.type() != fs::file_type::directory) return tampered(path.string(), "no folder");
  }
  const auto status = fs::symlink_status(tree / path, failed);
  if (status.type() == fs::file_type::not_found) return {};
  if (fs::is_symlink(status)) return tampered(path.string(), "a link");
  if (kind == PlaceFor::kFolder && !fs::is_directory(status))
    return tampered(path.string(), "no folder");
  if (kind == PlaceFor::kFile && !fs::is_regular_file(status))
    return tampered(path.string(), "something else");
  return {};
}

std::vector<std::string> folded(const fs::path& tree, std::vector<std::string> files) {
  if (files.size() <= kMaxFileMounts) return files;
  const std::set<std::string> chosen(files.begin(), files.end());
  std::map<fs::path, Tally> tallies;
  std::error_code failed;
  auto it =
      fs::recursive_directory_iterator(tree, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && it != fs::end(it); it.increment(failed)) {
    std::error_code ignored;
    if (!fs::is_regular_file(it->symlink_status(ignored))) continue;
    const fs::path path = it->path().lexically_relative(tree);
    count(tallies, path, chosen.contains(path.string()));
  }
  std::set<std::string> mounts;
  for (const auto& file : files) {
    fs::path top = file;
    for (fs::path up = top.parent_path(); !up.empty(); up = up.parent_path())
      if (const auto tally = tallies.find(up);
          tally != tallies.end() && tally->second.files == tally->second.matching)
        top = up;
    mounts.insert(top.string());
  }
  return {mounts.begin(), mounts.end()};
}

HarnessFiles harness_files(const fs::path& judge_tree, const std::vector<std::string>& globs) {
  HarnessFiles found;
  if (globs.empty()) return found;
  std::error_code failed;
  auto it = fs::recursive_directory_iterator(judge_tree,
                                             fs::directory_options::skip_permission_denied, failed);
  for (; !failed && it != fs::end(it); it.increment(failed)) {
    if (it.depth() == 0 && it->path().filename() == ".git") it.disable_recursion_pending();
    std::error_code ignored;
    const auto status = it->symlink_status(ignored);
    const fs::path path = it->path().lexically_relative(judge_tree);
    const bool matches = any_glob_matches(globs, path.string());
    if (fs::is_symlink(status) && matches) {
      found.links.push_back(path.string());
      if (const auto target = file_behind(judge_tree, path)) found.mounts.push_back(*target);
    }
    if (matches && !fs::is_directory(status)) found.all.push_back(path.string());
    if (matches && fs::is_regular_file(status)) found.mounts.push_back(path.string());
  }
  std::ranges::sort(found.links);
  std::ranges::sort(found.mounts);
  const auto twice = std::ranges::unique(found.mounts);
  found.mounts.erase(twice.begin(), twice.end());
  std::ranges::sort(found.all);
  return found;
}

std::vector<std::string> strangers(const HarnessFiles& judge, const HarnessFiles& candidate) {
  std::vector<std::string> found;
  std::ranges::set_difference(candidate.all, judge.all, std::back_inserter(found));
  return found;
}

Result<std::string> harness_hash(const fs::path& judge_tree,
                                 const std::vector<std::string>& globs) {
  std::vector<std::string> matching;
  std::error_code failed;
  auto it = fs::recursive_directory_iterator(judge_tree, failed);
  for (; !failed && it != fs::end(it); it.increment(failed)) {
    if (it.depth() == 0 && it->path().filename() == ".git") it.disable_recursion_pending();
    std::error_code ignored;
    const std::string path = it->path().lexically_relative(judge_tree).string();
    const bool is_folder = fs::is_directory(it->symlink_status(ignored));
    if (!is_folder && any_glob_matches(globs, path)) matching.push_back(path);
  }
  if (failed)
    return base::fail(ErrorKind::kIo, fmt::format("cannot read the judge's tree '{}': {}",
                                                  judge_tree.string(), failed.message()));
  std::ranges::sort(matching);
  base::Hasher hasher;
  for (const auto& path : matching) ARBOR_TRY_VOID(add_entry(hasher, judge_tree, path));
  return hasher.hex();
}

Result<std::vector<ports::Mount>> harness_mounts(const HarnessFiles& files,
                                                 const fs::path& judge_tree,
                                                 const fs::path& candidate_tree,
                                                 const fs::path& tree_path) {
  for (const auto& link : files.links) {
    std::error_code failed;
    const auto wanted = fs::read_symlink(judge_tree / link, failed);
    const auto actual = fs::read_symlink(candidate_tree / link, failed);
    if (failed || wanted != actual) return tampered(link, "something else");
  }
  std::vector<ports::Mount> mounts;
  for (const auto& path : files.mounts) {
    std::error_code failed;
    const bool is_folder = fs::is_directory(judge_tree / path, failed);
    ARBOR_TRY_VOID(
        check_place(candidate_tree, path, is_folder ? PlaceFor::kFolder : PlaceFor::kFile));
    mounts.push_back({judge_tree / path, tree_path / path, false});
  }
  return mounts;
}

}  // namespace arbor::workspace
