// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search/search.h"

namespace arbor::search {

struct TreeTextOptions {
  std::size_t width = 100;     // columns; titles are cut, figures never
  bool is_coloured = false;    // ANSI colours
  bool is_ascii = false;       // for terminals without UTF-8
  bool is_trunk_only = false;  // leave out what was not kept
};

// The tree for a terminal, one node a line: the trunk down the left edge, under each of its nodes
// what was tried on it and not kept. Untrusted text (titles) is made printable.
std::string tree_text(const Search& search, const TreeTextOptions& options = {});

// "+31.0 % [28.1, 34.0]": a log gain as percent of speed, with its 95 % interval.
std::string gain_text(const domain::Interval& log_gain);

}  // namespace arbor::search
