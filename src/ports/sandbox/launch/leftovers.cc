// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/leftovers.h"

#include <fmt/format.h>

#include <vector>

#include "base/owner.h"

namespace arbor::ports {
namespace fs = std::filesystem;

void remove_leftovers(const fs::path& scratch, const CgroupHome& cgroups) {
  base::sweep(scratch, kLaunchPrefix);
  for (const fs::path& parent : {cgroups.memory, cgroups.pids, cgroups.cpuacct, cgroups.unified}) {
    std::vector<fs::path> orphans;
    std::error_code error;
    if (!parent.empty())
      for (const auto& entry : fs::directory_iterator(parent, error))
        if (const std::string name = entry.path().filename().string();
            name.starts_with(kGroupPrefix) && base::has_dead_owner(name))
          orphans.push_back(entry.path());
    for (const fs::path& orphan : orphans) remove_group(orphan);
  }
}

base::Result<fs::path> open_scratch(const fs::path& scratch) {
  std::error_code error;
  fs::create_directories(scratch, error);
  fs::path real_scratch = fs::canonical(scratch, error);
  if (error)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot create the scratch folder '{}': {}",
                                                        scratch.string(), error.message()));
  return real_scratch;
}

}  // namespace arbor::ports
