// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "app/config/toml_nesting.h"
#include "app/config/value.h"
#include "base/text.h"

// The only file that sees the TOML library. What it asserts is broken by nothing but a wrong text
// ("[" and a line's end), in functions that no exception may leave; without its assertions it comes
// to the error that it means to give.
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

namespace arbor::app {
namespace {

constexpr std::size_t kMaxTomlBytes = 1U << 20;

std::string place(std::string_view path, const toml::source_region& source) {
  return fmt::format("{}:{}", path, source.begin.line);
}

base::Result<Value> converted(const toml::node& node, std::string_view path);

base::Result<Table> converted_table(const toml::table& source, std::string_view path) {
  std::vector<std::pair<toml::source_position, Entry>> entries;
  for (const auto& [key, node] : source) {
    ARBOR_TRY(Value value, converted(node, path));
    value.where = place(path, key.source());
    entries.emplace_back(key.source().begin, Entry{std::string(key.str()), std::move(value)});
  }
  std::ranges::sort(entries, [](const auto& a, const auto& b) { return a.first < b.first; });
  Table table;
  for (auto& [position, entry] : entries) table.push_back(std::move(entry));
  return table;
}

base::Result<Array> converted_array(const toml::array& source, std::string_view path) {
  Array array;
  for (const auto& node : source) {
    ARBOR_TRY(Value value, converted(node, path));
    array.push_back(std::move(value));
  }
  return array;
}

base::Result<Value> converted(const toml::node& node, std::string_view path) {
  Value value{.data = false, .where = place(path, node.source())};
  if (const auto* table = node.as_table()) {
    ARBOR_TRY(value.data, converted_table(*table, path));
  } else if (const auto* array = node.as_array()) {
    ARBOR_TRY(value.data, converted_array(*array, path));
  } else if (const auto text = node.value_exact<std::string>()) {
    value.data = *text;
  } else if (const auto flag = node.value_exact<bool>()) {
    value.data = *flag;
  } else if (const auto whole = node.value_exact<std::int64_t>()) {
    value.data = *whole;
  } else if (const auto number = node.value_exact<double>()) {
    value.data = *number;
  } else {
    return base::fail(base::ErrorKind::kUsage,
                      value.where + ": dates and times have no meaning here; put them in quotes");
  }
  return value;
}

}  // namespace

base::Result<Table> read_toml(std::string_view text, std::string_view path) {
  if (text.size() > kMaxTomlBytes)
    return base::fail(
        base::ErrorKind::kUsage,
        fmt::format("{}: larger than {} bytes, which no configuration needs", path, kMaxTomlBytes));
  if (const auto line = line_nested_too_deep(text))
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("{}:{}: nested deeper than {} (brackets and dotted keys)", path,
                                  *line, kMaxTomlDepth));
  try {
    return converted_table(toml::parse(text), path);
  } catch (const toml::parse_error& error) {
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("{}: not valid TOML: {}", place(path, error.source()),
                                  base::printable(error.description())));
  }
}

}  // namespace arbor::app
