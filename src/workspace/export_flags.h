// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workspace/export.h"

// The recipe's flags in the words of a build system; texts are empty when there are none.
namespace arbor::workspace {

// The build is CMake's when its command calls cmake; every other one is taken to be Make's.
bool is_built_with_cmake(const SeriesOrder& order);

std::string make_flags(const SeriesOrder& order);    // flags.mk
std::string cmake_preset(const SeriesOrder& order);  // CMakePresets.json, which includes …
std::string cmake_flags(const SeriesOrder& order);   // … arbor.cmake

// What the file of the build system in use cannot say, a sentence each.
std::vector<std::string> flags_by_hand(const SeriesOrder& order);

}  // namespace arbor::workspace
