// SPDX-License-Identifier: Apache-2.0
#include "app/config/value.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace arbor::app {

const Value* find_value(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &Entry::key);
  return found == table.end() ? nullptr : &found->value;
}

std::string describe_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value.data))
    return fmt::format("the number {}", *number);
  if (const auto* number = std::get_if<double>(&value.data))
    return fmt::format("the number {}", *number);
  if (const auto* text = std::get_if<std::string>(&value.data))
    return fmt::format("the string \"{}\"", base::elided(base::printable(*text), 60));
  return std::holds_alternative<Array>(value.data) ? "a list" : "a table";
}

}  // namespace arbor::app
