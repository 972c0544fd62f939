// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "source_tree.h"

// The rules of the house. Each returns its violations as "path[:line]: what is wrong and what to do
// instead"; a tree that keeps the rule returns none.
namespace arbor::layout {

using Violations = std::vector<std::string>;

Violations includes_go_downward(const SourceTree& tree);
Violations files_are_short(const SourceTree& tree);
Violations functions_are_short(const SourceTree& tree);
Violations names_say_something(const SourceTree& tree);
Violations sources_are_named_alike(const SourceTree& tree);
Violations nothing_is_left_over(const SourceTree& tree);
Violations sources_name_their_licence(const SourceTree& tree);
Violations searches_are_linear(const SourceTree& tree);
Violations headers_are_light(const SourceTree& tree);
Violations every_source_has_a_target(const SourceTree& tree);

}  // namespace arbor::layout
