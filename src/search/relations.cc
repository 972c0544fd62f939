// SPDX-License-Identifier: Apache-2.0
#include "search/relations.h"

#include <algorithm>
#include <cstdlib>

namespace arbor::search {

std::string_view strategy_family(std::string_view strategy) {
  if (strategy.starts_with("-O")) return strategy.substr(0, 2);
  return strategy.substr(0, strategy.find('='));
}

bool are_alternatives(const domain::Action& a, const domain::Action& b) {
  if (a.settles.empty() || a.settles != b.settles) return false;
  if (domain::action_key(a) == domain::action_key(b)) return false;
  return a.target.empty() || b.target.empty() || a.target == b.target;
}

bool are_ordered(const domain::Action& a, const domain::Action& b) {
  return a.step != 0 && b.step != 0 && are_alternatives(a, b);
}

bool is_beyond(const domain::Action& far, const domain::Action& near) {
  if (!are_ordered(far, near) || (far.step > 0) != (near.step > 0)) return false;
  return std::abs(far.step) > std::abs(near.step);
}

bool covers(const domain::Action& first, const domain::Action& second) {
  if (!first.target.empty() && first.target != second.target) return false;
  if (domain::action_key(first) == domain::action_key(second)) return false;
  return std::ranges::find(first.covers, second.strategy) != first.covers.end();
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
