// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "domain/change.h"

namespace arbor::workspace {

// The launch part of a recipe, put together entry by entry: the last value of a variable or knob
// counts.
struct Assembly {
  std::map<std::string, std::string> environment;
  std::map<std::string, std::string> knob_values;
  std::vector<std::string> preloads;  // each once, in order
};
Assembly assembled(const domain::Recipe& recipe);

// The sandbox empties the folder it lies in; a library there is mounted by itself.
bool is_hidden(const std::filesystem::path& path);

}  // namespace arbor::workspace
