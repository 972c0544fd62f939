// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace arbor::agents {

// Lines taken out of a source at one place and lines put there instead. line counts from 1 in the
// source as it is; one more than its last line appends. inserted: without line ends.
struct LineEdit {
  int line = 1;
  int removed = 0;
  std::vector<std::string> inserted;
  bool operator==(const LineEdit&) const = default;
};

// A unified diff with three lines of context that git applies; path is from the repository's root.
// Edits must not overlap; their order does not matter.
std::string unified_diff(const std::string& path, std::string_view source,
                         std::vector<LineEdit> edits);

// The blanks a line begins with.
std::string_view indentation(std::string_view line);

}  // namespace arbor::agents
