// SPDX-License-Identifier: Apache-2.0
#include "search/constraints.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "search/relations.h"

namespace arbor::search {
namespace {

constexpr int kRetryBudgetTrials = 5;

bool is_flag_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '=';
}

// The flag as a whole word of the text: "-O3" is not in "-O3x", "-march" is in "-march=native".
bool has_flag(std::string_view text, std::string_view flag) {
  for (auto at = text.find(flag); at != std::string_view::npos; at = text.find(flag, at + 1)) {
    const auto end = at + flag.size();
    const bool starts = at == 0 || !is_flag_character(text[at - 1]);
    const bool ends = end == text.size() || text[end] == '=' || !is_flag_character(text[end]);
    if (starts && ends) return true;
  }
  return false;
}

bool has_flag(const domain::Action& action, std::string_view flag) {
  const auto bare = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  const auto short_name = bare.starts_with('f') ? bare.substr(1) : bare;  // -ffast-math: fast-math
  return has_flag(action.strategy, flag) || has_flag(action.parameters, flag) ||
         (!bare.empty() && (action.strategy == bare || action.strategy == short_name));
}

// The number an action would set: "threads=8", or "value" among its parameters.
std::optional<double> value_set(const domain::Action& action) {
  if (const auto equals = action.strategy.find('='); equals != std::string::npos)
    if (auto number = base::parse_number(std::string_view(action.strategy).substr(equals + 1)))
      return number;
  const auto parameters = base::parse_json(action.parameters, "parameters of an action");
  if (!parameters || !parameters->is_object()) return std::nullopt;
  const auto value = parameters->find("value");
  if (value == parameters->end()) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  return value->is_string() ? base::parse_number(value->get<std::string>()) : std::nullopt;
}

bool exceeds(const domain::Action& action, const std::string& cap) {
  const auto limit = base::parse_number(cap);
  const auto value = limit ? value_set(action) : std::nullopt;
  return value && *value > *limit;
}

bool is_same_rule(const domain::Constraint& a, const domain::Constraint& b) {
  return a.scope == b.scope && a.effect == b.effect && a.value == b.value && a.lapses == b.lapses;
}

}  // namespace

bool is_in_scope(const domain::ConstraintScope& scope, const domain::Action& action,
                 const std::function<bool(domain::NodeId)>& is_below) {
  if (scope.layer && *scope.layer != action.layer) return false;
  if (!scope.category.empty() && action.category != scope.category &&
      !action.category.starts_with(scope.category + "."))
    return false;
  if (!scope.strategy.empty() && action.strategy != scope.strategy &&
      strategy_family(action.strategy) != scope.strategy)
    return false;
  if (!scope.target.empty() && action.target != scope.target) return false;
  if (!scope.flag.empty() && !has_flag(action, scope.flag)) return false;
  if (!scope.knob.empty() && action.target != "knob:" + scope.knob) return false;
  return !scope.subtree.is_valid() || is_below(scope.subtree);
}

void Constraints::add(domain::Constraint constraint, int trials_so_far) {
  for (std::size_t i = 0; i < in_force_.size(); ++i) {
    auto& known = in_force_[i];
    if (!is_same_rule(known, constraint)) continue;
    known.confidence = std::max(known.confidence, constraint.confidence);
    known.weight = std::min(known.weight, constraint.weight);
    for (const auto trial : constraint.evidence)
      if (std::ranges::find(known.evidence, trial) == known.evidence.end())
        known.evidence.push_back(trial);
    since_[i] = trials_so_far;
    return;
  }
  if (!constraint.id.is_valid()) constraint.id = {next_id_};
  next_id_ = std::max(next_id_, constraint.id.value + 1);
  in_force_.push_back(std::move(constraint));
  since_.push_back(trials_so_far);
}

Ruling Constraints::rule_on(const domain::Action& action,
                            const std::function<bool(domain::NodeId)>& is_below) const {
  Ruling ruling;
  for (const auto& constraint : in_force_) {
    using enum domain::ConstraintEffect;
    if (constraint.effect == kRequire) continue;
    if (!is_in_scope(constraint.scope, action, is_below)) continue;
    if (constraint.effect == kPenalise) {
      ruling.weight *= std::max(constraint.weight, 0.0);
    } else if (constraint.effect == kForbid || exceeds(action, constraint.value)) {
      ruling.forbidden_by = constraint.id;
      ruling.reason = constraint.reason;
      return ruling;
    }
  }
  return ruling;
}

void Constraints::lapse(domain::Lapse event) {
  lapse_if([&](std::size_t i) { return in_force_[i].lapses == event; });
}

void Constraints::lift_penalties(const domain::Action& kept,
                                 const std::function<bool(domain::NodeId)>& is_below) {
  lapse_if([&](std::size_t i) {
    return in_force_[i].effect == domain::ConstraintEffect::kPenalise &&
           is_in_scope(in_force_[i].scope, kept, is_below);
  });
}

void Constraints::lapse_old(int trials_so_far) {
  lapse_if([&](std::size_t i) {
    return in_force_[i].lapses == domain::Lapse::kRetryBudget &&
           trials_so_far - since_[i] >= kRetryBudgetTrials;
  });
}

void Constraints::lapse_if(const std::function<bool(std::size_t)>& is_over) {
  std::vector<domain::Constraint> left;
  std::vector<int> left_since;
  for (std::size_t i = 0; i < in_force_.size(); ++i) {
    if (is_over(i)) {
      lapsed_.push_back(in_force_[i]);
    } else {
      left.push_back(in_force_[i]);
      left_since.push_back(since_[i]);
    }
  }
  in_force_ = std::move(left);
  since_ = std::move(left_since);
}

}  // namespace arbor::search
