// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace arbor::app {

// How deep a TOML text may nest: brackets that are open, plus the dots of the keys they stand in.
// The library recurses on it, and no configuration needs a tenth of it.
inline constexpr int kMaxTomlDepth = 64;

// The first line that nests deeper, found without a TOML parser and in constant stack; none where
// all is well. Of text that is no TOML it may name a line behind the first mistake.
std::optional<int> line_nested_too_deep(std::string_view toml);

}  // namespace arbor::app
