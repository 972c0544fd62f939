// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/value.h"

// A key of the configuration: its type and bounds, what it means, and how its value reaches the
// struct it belongs to. Parser, schema and reference page all walk the same tables of keys.
namespace arbor::app {

enum class KeyType {
  kText,
  kCommand,  // text that is not empty
  kWord,     // text, number or boolean, kept as text
  kInteger,
  kNumber,
  kDuration,  // seconds: 90 or "15m"
  kSize,      // bytes: 1048576 or "8GiB"
  kFraction,  // 0.02 or "2%"
  kFactor,    // 1.5 or "1.5x"
  kFlag,
  kTexts,
  kWords,
  kReader,  // "wall" or { json = "/pointer" } or { regex = "pattern" }
  kTable,
  kTables,
};

struct KeyShape {
  std::string name;
  KeyType type = KeyType::kText;
  std::string meaning;
  std::string default_text = {};  // as one would write it in TOML; empty = none
  bool is_required = false;
  std::vector<std::string> choices = {};  // of kText; empty = any
  double min = -std::numeric_limits<double>::infinity();
  bool is_min_allowed = true;
  double max = std::numeric_limits<double>::infinity();
  std::vector<KeyShape> inner = {};  // of kTable and kTables
};

// Everything that is wrong with a configuration, so that one run shows all of it.
struct Problems {
  std::vector<std::string> lines;
  void add(const Value& at, std::string_view key, std::string_view what);
};

// A value of the right type and within its bounds.
struct Checked {
  std::string text;                // texts, words, choices
  double number = 0;               // every kind of number
  std::vector<std::string> texts;  // lists
  bool flag = false;
  const Value* value = nullptr;
};

// False (and a problem noted under title, "[bench] timeout") when the value does not fit the shape.
bool check_value(const KeyShape& shape, std::string_view title, const Value& value,
                 Checked& checked, Problems& problems);

template <typename Target>
struct Key {
  KeyShape shape;
  std::function<void(Target&, const Checked&, std::string_view title, Problems&)> store;
};

template <typename Target>
using Keys = std::vector<Key<Target>>;

void note_unknown_key(const Value& at, std::string_view table, std::string_view name,
                      const std::vector<std::string>& known, Problems& problems);
void note_missing_key(std::string_view where, std::string_view table, const KeyShape& shape,
                      Problems& problems);

// Fills target from a table by its keys. table_title: "[bench]"; where: of the table, for what is
// missing in it.
template <typename Target>
void decode(const Keys<Target>& keys, const Table& table, std::string_view table_title,
            std::string_view where, Target& target, Problems& problems) {
  std::vector<std::string> names;
  for (const auto& key : keys) names.push_back(key.shape.name);
  for (const auto& [name, value] : table)
    if (std::find(names.begin(), names.end(), name) == names.end())
      note_unknown_key(value, table_title, name, names, problems);
  for (const auto& key : keys) {
    const Value* value = find_value(table, key.shape.name);
    if (value == nullptr) {
      if (key.shape.is_required) note_missing_key(where, table_title, key.shape, problems);
      continue;
    }
    const std::string title = std::string(table_title) + " " + key.shape.name;
    Checked checked;
    if (check_value(key.shape, title, *value, checked, problems))
      key.store(target, checked, title, problems);
  }
}

}  // namespace arbor::app
