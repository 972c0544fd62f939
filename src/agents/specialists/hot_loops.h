// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agents/specialists/specialist.h"

// Where the time goes, as loops of sources.
namespace arbor::agents {

// An innermost loop of a hot function. Its place is file, function and ordinal: unlike a line, that
// stays the same while other lines come and go.
struct HotLoop {
  std::string file;  // from the repository's root
  ports::Loop loop;
  int ordinal = 0;  // among the innermost loops of its function, from 0
  double share = 0;
  std::string symbol;  // as the profile names it
};

// Hottest first. Empty without an analyser. Files that the analyser cannot read are left out.
std::vector<HotLoop> hot_loops(const Evidence& evidence, std::stop_token stop);

// The loop at a place; kNotFound where the source has moved on.
base::Result<ports::Loop> find_loop(const Evidence& evidence, const std::string& file,
                                    std::string_view function, int ordinal);

// "dot" of "double ns::dot<double>(double const*, int)", of "ns::dot" and of a lambda inside dot.
std::string base_name(std::string_view symbol);

// A symbol of the profile is a function of a source, or something that was inlined around it.
bool is_symbol_of(std::string_view symbol, std::string_view function);

// "src/dot.cc:12"
std::string place_text(const HotLoop& hot);

}  // namespace arbor::agents
