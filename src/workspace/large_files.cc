// SPDX-License-Identifier: Apache-2.0
#include "workspace/large_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/files.h"
#include "base/text.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::Result;

namespace {

constexpr std::string_view kFirstLine = "version https://git-lfs.github.com/spec/v1";
constexpr std::uintmax_t kMaxPointerBytes = 1024;  // the format's own bound

Result<std::string> sha256_of(const fs::path& path) {
  ARBOR_TRY(const std::string text,
            base::run_tool_ok({.argv = {"sha256sum", "-z", "--", path.string()},
                               .cwd = {},
                               .environment = {{"LC_ALL", "C"}},
                               .standard_input = {}}));
  return text.substr(0, text.find(' '));
}

}  // namespace

std::string large_file_name(std::string_view pointer) {
  if (!pointer.starts_with(kFirstLine)) return {};
  for (const auto line : base::lines_of(pointer)) {
    constexpr std::string_view kName = "oid sha256:";
    if (!line.starts_with(kName)) continue;
    const std::string name(line.substr(kName.size()));
    return is_object_name(name) && name.size() == 64 ? name : "";
  }
  return {};
}

Result<void> drop_unchanged_large_files(const Git& git, const fs::path& work_tree,
                                        std::vector<std::string>& paths) {
  std::vector<std::string> kept;
  for (const auto& path : paths) {
    std::error_code failed;
    const auto status = fs::symlink_status(work_tree / path, failed);
    if (!failed && fs::is_regular_file(status)) {
      ARBOR_TRY(const auto size, git.try_run({"cat-file", "-s", ":0:" + path}));
      const auto bytes = base::parse_number(size.standard_output);
      if (size.exit_code == 0 && bytes && *bytes <= double{kMaxPointerBytes}) {
        ARBOR_TRY(const std::string text, git.run({"cat-file", "blob", ":0:" + path}));
        const std::string name = large_file_name(text);
        if (!name.empty()) {
          ARBOR_TRY(const std::string found, sha256_of(work_tree / path));
          if (found == name) continue;
        }
      }
    }
    kept.push_back(path);
  }
  paths = std::move(kept);
  return {};
}

Result<void> fill_large_files(const fs::path& store, const fs::path& folder,
                              const std::vector<std::string>& paths) {
  std::error_code failed;
  if (!fs::is_directory(store, failed)) return {};
  for (const auto& path : paths) {
    const fs::path file = folder / path;
    if (!fs::is_regular_file(fs::symlink_status(file, failed)) || failed) continue;
    if (fs::file_size(file, failed) > kMaxPointerBytes || failed) continue;
    ARBOR_TRY(const std::string text, base::read_file(file));
    const std::string name = large_file_name(text);
    if (name.empty()) continue;
    const fs::path content = store / name.substr(0, 2) / name.substr(2, 2) / name;
    if (!fs::is_regular_file(content, failed)) continue;
    fs::copy_file(content, file, fs::copy_options::overwrite_existing, failed);
    if (failed)
      return base::fail(base::ErrorKind::kIo,
                        fmt::format("cannot copy '{}' to '{}': {}", content.string(), file.string(),
                                    failed.message()));
  }
  return {};
}

}  // namespace arbor::workspace
