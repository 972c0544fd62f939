// SPDX-License-Identifier: Apache-2.0
#include "app/config/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/config/manifest_keys.h"
#include "base/text.h"

namespace arbor::app {
namespace {

// The table of that name within root, made when there is none; null when it is something else,
// which the decoding reports.
Table* table_in(Table& root, const std::string& name, const std::string& where) {
  const auto found = std::ranges::find(root, name, &Entry::key);
  if (found != root.end()) return std::get_if<Table>(&found->value.data);
  root.push_back({name, Value{.data = Table{}, .where = where}});
  return &std::get<Table>(root.back().value.data);
}

void put(Table& table, const std::string& name, Value value) {
  const auto found = std::ranges::find(table, name, &Entry::key);
  if (found != table.end())
    found->value = std::move(value);
  else
    table.push_back({name, std::move(value)});
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// A text from outside as the kind of value the key wants; what does not fit stays text, and the
// decoding says what was expected.
Value value_of_text(const KeyShape& shape, const std::string& text, const std::string& origin) {
  Value value{.data = text, .where = origin};
  if (shape.type == KeyType::kFlag && (text == "true" || text == "false"))
    value.data = text == "true";
  if (shape.type == KeyType::kInteger || shape.type == KeyType::kNumber)
    if (const auto number = base::parse_number(text)) {
      value.data = *number;
      if (*number == std::floor(*number) && std::abs(*number) < 9e15)
        value.data = static_cast<std::int64_t>(*number);
    }
  if (shape.type == KeyType::kTexts || shape.type == KeyType::kWords) {
    Array array;
    if (!text.empty())
      for (const auto part : base::split(text, ','))
        array.push_back({.data = std::string(base::trim(part)), .where = origin});
    value.data = std::move(array);
  }
  return value;
}

std::vector<std::string> user_file_sections() {
  std::vector<std::string> names;
  for (const auto& section : manifest_sections())
    if (section.is_in_user_file) names.push_back("[" + section.name + "]");
  return names;
}

}  // namespace

void merge_user_file(const Table& user_file, std::string_view path, Table& root,
                     Problems& problems) {
  for (const auto& [name, value] : user_file) {
    const Section* section = find_section(name);
    const auto* table = std::get_if<Table>(&value.data);
    if (section == nullptr || !section->is_in_user_file || table == nullptr) {
      problems.lines.push_back(
          fmt::format("{}: {} may hold the tables {} and nothing else, found '{}'", value.where,
                      path, base::join(user_file_sections(), ", "), base::printable(name)));
      continue;
    }
    Table* target = table_in(root, name, value.where);
    if (target == nullptr) continue;
    for (const auto& [key, inner] : *table)
      if (find_value(*target, key) == nullptr) target->push_back({key, inner});
  }
}

std::vector<domain::Setting> settings_of_environment(
    const std::map<std::string, std::string>& environment, Problems& problems) {
  std::vector<domain::Setting> settings;
  for (const auto& section : manifest_sections()) {
    if (!section.is_in_environment) continue;
    const std::string prefix = "ARBOR_" + upper(section.name) + "_";
    std::vector<std::string> known;
    known.reserve(section.keys.size());
    for (const auto& shape : section.keys) known.push_back(prefix + upper(shape.name));
    for (const auto& [variable, text] : environment) {
      if (!variable.starts_with(prefix)) continue;
      const auto found = std::ranges::find(known, variable);
      if (found == known.end()) {
        const auto near = base::nearest(variable, known);
        problems.lines.push_back(
            fmt::format("{}: no such setting; {}", variable,
                        near ? fmt::format("did you mean {}?", *near)
                             : fmt::format("[{}] has {}", section.name, base::join(known, ", "))));
        continue;
      }
      const auto& shape = section.keys[static_cast<std::size_t>(found - known.begin())];
      settings.push_back({section.name + "." + shape.name, text, variable});
    }
  }
  return settings;
}

void merge_settings(const std::vector<domain::Setting>& settings, Table& root, Problems& problems) {
  for (const auto& setting : settings) {
    const auto dot = setting.key.find('.');
    const Section* section = find_section(setting.key.substr(0, dot));
    const KeyShape* shape = section == nullptr || section->is_repeated || dot == std::string::npos
                                ? nullptr
                                : find_key(*section, setting.key.substr(dot + 1));
    const bool is_plain = shape != nullptr && shape->inner.empty();
    if (!is_plain) {
      problems.lines.push_back(
          fmt::format("{}: '{}' can only be set in the file: a setting from outside is "
                      "SECTION.KEY, such as budget.wall",
                      setting.origin, base::printable(setting.key)));
      continue;
    }
    if (Table* table = table_in(root, section->name, setting.origin))
      put(*table, shape->name, value_of_text(*shape, setting.text, setting.origin));
  }
}

}  // namespace arbor::app
