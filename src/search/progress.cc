// SPDX-License-Identifier: Apache-2.0
#include "search/progress.h"

namespace arbor::search {

void Progress::begin(const domain::Action& action, domain::NodeId trunk,
                     const std::set<domain::Layer>& layers) {
  layers_.insert(layers.begin(), layers.end());
  ++trials_;
  ++in_flight_;
  ++by_category_[action.category];
  if (!action.parts.empty()) combined_.insert({trunk, action.parts});
}

bool Progress::end(const domain::Action& action, const domain::Verdict& verdict) {
  using domain::VerdictKind;
  --in_flight_;
  trials_since_gain_ = verdict.kind == VerdictKind::kKept ? 0 : trials_since_gain_ + 1;
  if (verdict.kind == VerdictKind::kCrashed) ++crashes_;
  const bool is_discard = verdict.kind == VerdictKind::kReverted ||
                          verdict.kind == VerdictKind::kCrashed ||
                          verdict.kind == VerdictKind::kRejected;
  return is_discard && ++discards_[{action.category, action.strategy}] % 2 == 0;
}

int Progress::trials_in(const std::string& category) const {
  const auto found = by_category_.find(category);
  return found == by_category_.end() ? 0 : found->second;
}

bool Progress::has_combined(domain::NodeId trunk,
                            const std::vector<domain::ActionId>& parts) const {
  return combined_.contains({trunk, parts});
}

}  // namespace arbor::search
