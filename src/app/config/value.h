// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

// A configuration as read, before anyone knows what its keys mean. Every value remembers where it
// came from, so that a message about a merged configuration still names the right place.
namespace arbor::app {

struct Value;
using Array = std::vector<Value>;
struct Entry;
using Table = std::vector<Entry>;  // in the order of the file

struct Value {
  std::variant<bool, std::int64_t, double, std::string, Array, Table> data;
  std::string where;  // "arbor.toml:12", "ARBOR_BUDGET_WALL", "--budget"
};

struct Entry {
  std::string key;
  Value value;
};

const Value* find_value(const Table& table, std::string_view key);

// What the value is, for messages: `the string "soon"`, "the number 3", "a table", "a list".
std::string describe_value(const Value& value);

// path is what messages call the text. kUsage names the line of a syntax error.
base::Result<Table> read_toml(std::string_view text, std::string_view path);

}  // namespace arbor::app
