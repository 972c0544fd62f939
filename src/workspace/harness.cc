// SPDX-License-Identifier: Apache-2.0
#include "workspace/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

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

std::vector<std::string> collapsed(const std::vector<std::string>& files,
                                   const std::map<fs::path, Tally>& tallies) {
  std::set<std::string> mounts;
  for (const auto& file : files) {
    fs::path top = file;
    for (fs::path up = top.parent_path(); !up.empty(); up = up.parent_path()) {
      const Tally& tally = tallies.at(up);
      if (tally.files == tally.matching) top = up;
    }
    mounts.insert(top.string());
  }
  return {mounts.begin(), mounts.end()};
}

std::unexpected<base::Error> tampered(const std::string& path, std::string_view how) {
  return base::fail(ErrorKind::kUsage,
                    fmt::format("the build put {} where the file '{}' belongs", how, path));
}

}  // namespace

Result<void> check_place(const fs::path& tree, const fs::path& path) {
  std::error_code failed;
  fs::path at = tree;
  for (const auto& part : path.parent_path()) {
    at /= part;
    const auto status = fs::symlink_status(at, failed);
    if (status.type() == fs::file_type::not_found) return {};
    if (status.type() != fs::file_type::directory) return tampered(path.string(), "no folder");
  }
  const auto status = fs::symlink_status(tree / path, failed);
  if (fs::is_symlink(status)) return tampered(path.string(), "a link");
  return {};
}

HarnessFiles harness_files(const fs::path& judge_tree, const std::vector<std::string>& globs) {
  HarnessFiles found;
  if (globs.empty()) return found;
  std::map<fs::path, Tally> tallies;
  std::error_code failed;
  auto it = fs::recursive_directory_iterator(judge_tree,
                                             fs::directory_options::skip_permission_denied, failed);
  for (; !failed && it != fs::end(it); it.increment(failed)) {
    if (it.depth() == 0 && it->path().filename() == ".git") it.disable_recursion_pending();
    std::error_code ignored;
    const auto status = it->symlink_status(ignored);
    const fs::path path = it->path().lexically_relative(judge_tree);
    const bool matches = any_glob_matches(globs, path.string());
    if (fs::is_symlink(status) && matches) found.links.push_back(path.string());
    if (!fs::is_regular_file(status)) continue;
    count(tallies, path, matches);
    if (matches) found.mounts.push_back(path.string());
  }
  std::ranges::sort(found.links);
  std::ranges::sort(found.mounts);
  if (found.mounts.size() > kMaxFileMounts) found.mounts = collapsed(found.mounts, tallies);
  return found;
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
    ARBOR_TRY_VOID(check_place(candidate_tree, path));
    mounts.push_back({judge_tree / path, tree_path / path, false});
  }
  return mounts;
}

}  // namespace arbor::workspace
