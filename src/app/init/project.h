// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/init/inspect.h"

// The build systems that init recognises. Each fills what it finds into findings and leaves what is
// already there.
namespace arbor::app {

void inspect_cmake(const std::filesystem::path& root, InitFindings& findings);
void inspect_make(const std::filesystem::path& root, InitFindings& findings);
void inspect_scripts(const std::filesystem::path& root, InitFindings& findings);

// The three roles a name can have: "run_tests", "check", "bench-main", ...
bool names_a_check(std::string_view name);
bool names_a_bench(std::string_view name);

// The text of a file of moderate size; empty when it cannot be read.
std::string text_of(const std::filesystem::path& file);

}  // namespace arbor::app
