// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/unsafe/rewritten_paths.h"

#include "base/text.h"

namespace arbor::ports {

RewrittenPaths::RewrittenPaths(const View& view, const std::filesystem::path& tree) {
  mounts_.push_back({tree, view.tree_path.lexically_normal(), true});
  for (const Mount& mount : view.mounts)
    mounts_.push_back({mount.source, mount.target.lexically_normal(), mount.is_writable});
}

std::string RewrittenPaths::path(const std::string& inside) const {
  std::string on_host = inside;
  for (const Mount& mount : mounts_) {
    const std::string target = mount.target.string();
    if (inside == target)
      on_host = mount.source.string();
    else if (inside.starts_with(target + "/"))
      on_host = mount.source.string() + inside.substr(target.size());
  }
  return on_host;
}

std::string RewrittenPaths::list(const std::string& inside) const {
  std::vector<std::string> elements;
  for (const std::string_view element : base::split(inside, ':'))
    elements.push_back(path(std::string(element)));
  return base::join(elements, ":");
}

}  // namespace arbor::ports
