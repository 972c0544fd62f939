// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/unsafe/laid_mounts.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

bool is_within(const fs::path& path, const fs::path& folder) {
  const fs::path below = path.lexically_relative(folder);
  return !below.empty() && *below.begin() != "..";
}

std::error_code lay(const fs::path& source, const fs::path& place) {
  std::error_code failed;
  fs::create_directories(place.parent_path(), failed);
  base::remove_tree(place);
  if (fs::is_directory(source, failed))
    fs::create_directory_symlink(source, place, failed);
  else
    fs::copy_file(source, place, failed);
  return failed;
}

}  // namespace

base::Result<void> lay_mounts(const View& view, const fs::path& tree) {
  std::error_code ignored;
  const fs::path top = fs::canonical(tree, ignored);
  for (const Mount& mount : view.mounts) {
    const fs::path below = mount.target.lexically_relative(view.tree_path.lexically_normal());
    if (below.empty() || below == "." || *below.begin() == "..") continue;
    const fs::path place = tree / below;
    // A link of the candidate's must not lead us out of its tree.
    const bool is_inside = is_within(fs::weakly_canonical(place.parent_path(), ignored), top);
    const auto failed =
        is_inside ? lay(mount.source, place) : std::make_error_code(std::errc::permission_denied);
    if (failed)
      return base::fail(base::ErrorKind::kIo,
                        fmt::format("cannot lay '{}' into the tree at '{}': {}",
                                    mount.source.string(), place.string(), failed.message()));
  }
  return {};
}

}  // namespace arbor::ports
