// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arbor::workspace {

// Globs of the manifest, on paths with '/' and without a leading one. `*` and `?` stay within a
// component, `**` as a component spans any number of them, [ab], [a-z] and [!a] are sets, `\`
// quotes. A glob that names a folder ("tests", "tests/") also matches all that lies below it.
// Linear in practice: repeated stars never backtrack exponentially.
bool glob_matches(std::string_view glob, std::string_view path);
bool any_glob_matches(const std::vector<std::string>& globs, std::string_view path);

// A glob relative to a folder, relative to that folder's root: ("sub/app", "../lib/**") →
// "sub/lib/**". Empty when it leaves the root.
std::string rooted_glob(std::string_view folder, std::string_view glob);

}  // namespace arbor::workspace
