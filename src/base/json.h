// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

// JSON as the whole project uses it. Include <nlohmann/json.hpp> only in .cc files.
namespace arbor::base {

using Json = nlohmann::json;

// what: names the text in the error ("profile of node 3"). Depth is bounded; never throws.
Result<Json> parse_json(std::string_view text, std::string_view what);

// What a JSON library's exception says, without the library's own prefix.
std::string json_problem(std::string_view what);

// Compact, keys sorted, invalid UTF-8 replaced: safe for any string a program printed.
std::string dump_json(const Json& json, int indent = -1);

}  // namespace arbor::base
