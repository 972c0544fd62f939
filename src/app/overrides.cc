// SPDX-License-Identifier: Apache-2.0
#include "app/config/manifest_file.h"
#include "app/machine.h"
#include "app/wiring.h"

namespace arbor::app {
namespace {

// Flags that set a key of the manifest.
constexpr std::pair<const char*, const char*> kFlagKeys[] = {
    {"--budget", "budget.wall"},
    {"--trials", "budget.trials"},
    {"--goal", "goal.speedup"},
    {"--seed", "search.seed"},
};

}  // namespace

base::Result<LoadedManifest> manifest_for(const std::filesystem::path& root,
                                          const Arguments& arguments) {
  Overrides overrides = overrides_of_environment(environment_variables());
  for (const auto& [flag, key] : kFlagKeys)
    if (const auto text = arguments.value(flag)) overrides.flags.push_back({key, *text, flag});
  return load_manifest(root, overrides);
}

}  // namespace arbor::app
