// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "app/config/manifest_file.h"
#include "app/wiring.h"

extern char** environ;

namespace arbor::app {
namespace {

// Flags that set a key of the manifest.
constexpr std::pair<const char*, const char*> kFlagKeys[] = {
    {"--budget", "budget.wall"},
    {"--trials", "budget.trials"},
    {"--goal", "goal.speedup"},
    {"--seed", "search.seed"},
};

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (const auto equals = text.find('='); equals != std::string::npos)
      variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

}  // namespace

base::Result<domain::Manifest> manifest_for(const std::filesystem::path& root,
                                            const Arguments& arguments) {
  Overrides overrides = overrides_of_environment(environment());
  for (const auto& [flag, key] : kFlagKeys)
    if (const auto text = arguments.value(flag)) overrides.flags.push_back({key, *text, flag});
  return load_manifest(root, overrides);
}

}  // namespace arbor::app
