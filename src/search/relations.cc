// SPDX-License-Identifier: Apache-2.0
#include "search/relations.h"

#include <algorithm>

#include "search/priors.h"

namespace arbor::search {

std::string_view strategy_family(std::string_view strategy) {
  if (strategy.starts_with("-O")) return strategy.substr(0, 2);
  return strategy.substr(0, strategy.find('='));
}

bool are_alternatives(const domain::Action& a, const domain::Action& b) {
  if (a.specialist != b.specialist || a.target != b.target) return false;
  if (domain::action_key(a) == domain::action_key(b)) return false;
  if (strategy_family(a.strategy) == strategy_family(b.strategy)) return true;
  if (a.target.starts_with("knob:")) return true;
  return a.category == b.category && prior_of(a.category).is_exclusive;
}

bool names(std::string_view word, const domain::Action& action) {
  if (word.empty()) return false;
  if (action.category == word || action.strategy == word) return true;
  if (strategy_family(action.strategy) == word) return true;
  return action.category.size() > word.size() && action.category.starts_with(word) &&
         action.category[word.size()] == '.';
}

bool is_enabled_by(const domain::Action& second, const domain::Action& first) {
  return std::ranges::any_of(first.enables,
                             [&](const auto& word) { return names(word, second); }) ||
         std::ranges::any_of(second.enabled_by,
                             [&](const auto& word) { return names(word, first); });
}

bool can_go_together(const domain::Action& a, const domain::Action& b) {
  if (are_alternatives(a, b)) return false;
  return a.target.empty() || a.target != b.target || a.category != b.category;
}

}  // namespace arbor::search
