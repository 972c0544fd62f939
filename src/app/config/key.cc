// SPDX-License-Identifier: Apache-2.0
#include "app/config/key.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "app/config/quantity.h"
#include "base/text.h"

namespace arbor::app {
namespace {

std::string_view expectation(KeyType type) {
  switch (type) {
    case KeyType::kText:
      return "a string";
    case KeyType::kCommand:
      return "a command";
    case KeyType::kWord:
      return "a string or a number";
    case KeyType::kInteger:
      return "a whole number";
    case KeyType::kNumber:
      return "a number";
    case KeyType::kDuration:
      return "a duration such as \"15m\", or seconds";
    case KeyType::kSize:
      return "a size such as \"8GiB\", or bytes";
    case KeyType::kFraction:
      return "a fraction such as \"2%\" or 0.02";
    case KeyType::kFactor:
      return "a factor such as \"1.5x\" or 1.5";
    case KeyType::kFlag:
      return "true or false";
    case KeyType::kTexts:
      return "a list of strings";
    case KeyType::kWords:
      return "a list of strings or numbers";
    case KeyType::kReader:
      return "a reader such as \"wall\", { json = \"/pointer\" } or { regex = \"...\" }";
    case KeyType::kTable:
      return "a table";
    case KeyType::kTables:
      return "a list of tables";
  }
  std::unreachable();
}

std::optional<double> plain_number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data))
    return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  return std::nullopt;
}

std::optional<double> number_of(KeyType type, const Value& value) {
  if (type == KeyType::kInteger) {
    const auto* whole = std::get_if<std::int64_t>(&value.data);
    return whole == nullptr ? std::nullopt : std::optional(static_cast<double>(*whole));
  }
  if (const auto number = plain_number(value)) return number;
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) return std::nullopt;
  switch (type) {
    case KeyType::kDuration:
      return base::parse_duration_s(*text);
    case KeyType::kSize:
      return parse_size_bytes(*text);
    case KeyType::kFraction:
      return base::parse_fraction(*text);
    case KeyType::kFactor:
      return parse_factor(*text);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> word_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value.data)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag ? "true" : "false";
  return std::nullopt;
}

std::optional<std::vector<std::string>> texts_of(const Value& value, bool allows_numbers) {
  const auto* array = std::get_if<Array>(&value.data);
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto& element : *array) {
    if (!allows_numbers && !std::holds_alternative<std::string>(element.data)) return std::nullopt;
    const auto word = word_of(element);
    if (!word) return std::nullopt;
    texts.push_back(*word);
  }
  return texts;
}

// Whether the value has the shape's type; what it says goes into checked.
bool has_type(KeyType type, const Value& value, Checked& checked) {
  const bool is_table = std::holds_alternative<Table>(value.data);
  switch (type) {
    case KeyType::kText:
    case KeyType::kCommand:
      if (!std::holds_alternative<std::string>(value.data)) return false;
      checked.text = std::get<std::string>(value.data);
      return true;
    case KeyType::kWord:
      if (const auto word = word_of(value)) return checked.text = *word, true;
      return false;
    case KeyType::kFlag:
      if (!std::holds_alternative<bool>(value.data)) return false;
      checked.flag = std::get<bool>(value.data);
      return true;
    case KeyType::kTexts:
    case KeyType::kWords:
      if (auto texts = texts_of(value, type == KeyType::kWords))
        return checked.texts = std::move(*texts), true;
      return false;
    case KeyType::kReader:
      return is_table || std::holds_alternative<std::string>(value.data);
    case KeyType::kTable:
      return is_table;
    case KeyType::kTables: {
      const auto* array = std::get_if<Array>(&value.data);
      return array != nullptr && std::ranges::all_of(*array, [](const Value& element) {
               return std::holds_alternative<Table>(element.data);
             });
    }
    default:
      if (const auto number = number_of(type, value)) return checked.number = *number, true;
      return false;
  }
}

bool is_number(KeyType type) {
  return type == KeyType::kInteger || type == KeyType::kNumber || type == KeyType::kDuration ||
         type == KeyType::kSize || type == KeyType::kFraction || type == KeyType::kFactor;
}

std::string bounds_text(const KeyShape& shape) {
  const auto text_of = [&](double bound) {
    return shape.type == KeyType::kDuration && bound > 0 ? duration_text(bound)
                                                         : fmt::format("{}", bound);
  };
  std::string low =
      fmt::format("{} {}", shape.is_min_allowed ? "at least" : "more than", text_of(shape.min));
  if (std::isinf(shape.max)) return low;
  const std::string high = fmt::format("at most {}", text_of(shape.max));
  return std::isinf(shape.min) ? high : low + " and " + high;
}

bool is_within(const KeyShape& shape, double number) {
  return std::isfinite(number) && number <= shape.max &&
         (shape.is_min_allowed ? number >= shape.min : number > shape.min);
}

}  // namespace

void Problems::add(const Value& at, std::string_view key, std::string_view what) {
  lines.push_back(fmt::format("{}: {}: {}", at.where, key, what));
}

bool check_value(const KeyShape& shape, std::string_view title, const Value& value,
                 Checked& checked, Problems& problems) {
  checked.value = &value;
  const auto refuse = [&](const std::string& expected) {
    problems.add(value, title,
                 fmt::format("expected {}, found {}", expected, describe_value(value)));
    return false;
  };
  if (!has_type(shape.type, value, checked)) return refuse(std::string(expectation(shape.type)));
  if (shape.type == KeyType::kCommand && base::trim(checked.text).empty()) {
    problems.add(value, title, fmt::format("is empty: write the {}", shape.meaning));
    return false;
  }
  if (is_number(shape.type) && !is_within(shape, checked.number))
    return refuse(fmt::format("{} that is {}", expectation(shape.type),
                              std::isfinite(checked.number) ? bounds_text(shape) : "finite"));
  if (!shape.choices.empty() &&
      std::ranges::find(shape.choices, checked.text) == shape.choices.end()) {
    const auto near = base::nearest(checked.text, shape.choices);
    return refuse(fmt::format("one of {}{}", base::join(shape.choices, ", "),
                              near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""));
  }
  return true;
}

void note_unknown_key(const Value& at, std::string_view table, std::string_view name,
                      const std::vector<std::string>& known, Problems& problems) {
  const auto near = base::nearest(name, known);
  problems.lines.push_back(
      fmt::format("{}: {} has no key '{}'{}", at.where, table, base::printable(name),
                  near ? fmt::format("; did you mean '{}'?", *near)
                       : fmt::format("; its keys are {}", base::join(known, ", "))));
}

void note_missing_key(std::string_view where, std::string_view table, const KeyShape& shape,
                      Problems& problems) {
  problems.lines.push_back(
      fmt::format("{}: {} needs '{}': {}", where, table, shape.name, shape.meaning));
}

}  // namespace arbor::app
