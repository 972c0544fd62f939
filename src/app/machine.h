// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agents/specialists/specialist.h"

// What is true of this machine and this process, asked in one place.
namespace arbor::app {

// The first line that a trusted tool prints ("git version 2.39.5"); empty optional where it is
// missing or fails, empty text where it prints nothing.
std::optional<std::string> first_line_of(std::vector<std::string> argv);

// Allocators that can be preloaded, absolute paths.
std::vector<std::string> allocator_libraries();

agents::Machine survey_machine();

// The environment that this process was started with.
std::map<std::string, std::string> environment_variables();

}  // namespace arbor::app
