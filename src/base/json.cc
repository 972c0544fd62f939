// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace arbor::base {
namespace {
constexpr int kMaxDepth = 200;  // deeper than any document we read; a parser's stack is not endless

// Deepest nesting of brackets outside of strings.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string) {
      if (c == '\\') ++i;
      if (c == '"') is_string = false;
    } else if (c == '"') {
      is_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}
}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view what) {
  if (depth_of(text) > kMaxDepth)
    return fail(ErrorKind::kUsage, fmt::format("{}: JSON nested deeper than {}", what, kMaxDepth));
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorKind::kUsage,
                fmt::format("{}: not valid JSON: {}", what, json_problem(error.what())));
  }
}

std::string json_problem(std::string_view what) {
  if (what.starts_with("[json.exception."))
    what.remove_prefix(std::min(what.find("] "), what.size() - 2) + 2);
  return printable(shortened(what, 300));
}

std::string dump_json(const Json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace arbor::base
