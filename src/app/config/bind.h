// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/config/key.h"
#include "domain/manifest.h"

// Binds keys to members of the domain's structs: one assign() per type of member. The default text
// of a key is read from the default-constructed struct, so it cannot disagree with it.
namespace arbor::app {

std::string default_text(KeyType type, const std::string& value);
std::string default_text(KeyType type, double value);
std::string default_text(KeyType type, bool value);
std::string default_text(KeyType type, const std::vector<std::string>& value);

template <typename Member>
std::string default_of(KeyType type, const Member& value) {
  if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, std::string> ||
                std::is_same_v<Member, std::vector<std::string>>)
    return default_text(type, value);
  else if constexpr (std::is_arithmetic_v<Member>)
    return default_text(type, static_cast<double>(value));
  else
    return "";  // optional and composite members have none
}

inline void assign(std::string& member, const Checked& checked) { member = checked.text; }
inline void assign(bool& member, const Checked& checked) { member = checked.flag; }
inline void assign(std::vector<std::string>& member, const Checked& checked) {
  member = checked.texts;
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
void assign(Number& member, const Checked& checked) {
  member = static_cast<Number>(checked.number);
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
void assign(std::optional<Number>& member, const Checked& checked) {
  member = static_cast<Number>(checked.number);
}

struct Limits {
  bool is_required = false;
  double min = -std::numeric_limits<double>::infinity();
  bool is_min_allowed = true;
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};
};

template <typename Target, typename Member>
Key<Target> key(const std::string& name, KeyType type, Member Target::* member,
                const std::string& meaning, const Limits& limits = {}) {
  KeyShape shape{.name = name,
                 .type = type,
                 .meaning = meaning,
                 .default_text = default_of(type, Target{}.*member),
                 .is_required = limits.is_required,
                 .choices = limits.choices,
                 .min = limits.min,
                 .is_min_allowed = limits.is_min_allowed,
                 .max = limits.max};
  if (shape.is_required) shape.default_text.clear();
  return {std::move(shape), [member](Target& target, const Checked& checked, std::string_view,
                                     Problems&) { assign(target.*member, checked); }};
}

template <typename Target>
std::vector<KeyShape> shapes_of(const Keys<Target>& keys) {
  std::vector<KeyShape> shapes;
  for (const auto& each : keys) shapes.push_back(each.shape);
  return shapes;
}

// The composite members, each with keys of its own.
const Keys<domain::Metric>& metric_keys();
const Keys<domain::Metric>& guard_keys();  // a metric and how much worse it may get
const Keys<domain::ScoreRule>& score_keys();
const Keys<domain::OutputRule>& output_keys();
const Keys<domain::Knob>& knob_keys();

domain::Metric read_metric(const Keys<domain::Metric>& keys, const Value& table,
                           std::string_view title, Problems& problems);
domain::ScoreRule read_score(const Value& table, std::string_view title, Problems& problems);
domain::OutputRule read_output(const Value& table, std::string_view title, Problems& problems);
std::vector<domain::Knob> read_knobs(const Value& tables, Problems& problems);

}  // namespace arbor::app
