// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// Where a path of a view really is when nothing can be mounted. tree: what the launch works in.
class RewrittenPaths {
 public:
  RewrittenPaths(const View& view, const std::filesystem::path& tree);

  // A path inside the view → on the host; unchanged when no mount covers it.
  std::string path(const std::string& inside) const;
  // A list separated by colons, as PATH is: each element that is a path of the view.
  std::string list(const std::string& inside) const;

 private:
  std::vector<Mount> mounts_;  // the tree first; the last that covers a path decides
};

}  // namespace arbor::ports
