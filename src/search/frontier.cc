// SPDX-License-Identifier: Apache-2.0
#include "search/frontier.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/random.h"
#include "search/relations.h"
#include "search/target.h"

namespace arbor::search {
namespace {

constexpr double kSmallestMultiplier = 0.1;
constexpr double kLargestMultiplier = 4;
constexpr double kSimilarKept = 1.5;
constexpr double kAlternativeKept = 0.7;
constexpr double kOwnRegression = 0.5;
constexpr double kSimilarRegression = 0.7;
constexpr double kStrategyDiscarded = 0.8;
constexpr double kBeyondRegression = 0.5;
constexpr double kBeyondFlat = 0.7;
constexpr double kGrowthToReturn = 1.5;

void multiply(Entry& entry, double factor) {
  entry.idea.multiplier =
      std::clamp(entry.idea.multiplier * factor, kSmallestMultiplier, kLargestMultiplier);
}

void measure_share(Entry& entry, const domain::Profile* profile) {
  entry.share_when_proposed = entry.idea.action.prediction.touched_share;
  const auto share = profile ? share_of_target(*profile, entry.idea.action.target) : std::nullopt;
  // A target that the profile does not show was proposed for another reason: it is left alone.
  entry.target_share_when_proposed = share && *share > 0 ? share : std::nullopt;
}

void reopen(Entry& entry, std::string note) {
  entry.idea.state = IdeaState::kOpen;
  entry.idea.multiplier = std::max(entry.idea.multiplier, 1.0);
  entry.idea.note = std::move(note);
  entry.is_retry = true;
}

}  // namespace

bool has_ended_alive(const Entry& entry) {
  using domain::VerdictKind;
  return entry.idea.state == IdeaState::kTried && !entry.is_in_flight && entry.idea.last &&
         (entry.idea.last->kind == VerdictKind::kInconclusive ||
          entry.idea.last->kind == VerdictKind::kReverted);
}

bool may_return(const Entry& entry) {
  if (entry.is_combination || entry.is_in_flight || entry.idea.state != IdeaState::kTried)
    return false;
  if (entry.idea.attempts >= kMaxAttempts || !entry.idea.last) return false;
  return !(entry.idea.last->kind == domain::VerdictKind::kRejected &&
           entry.idea.last->reason.starts_with("wrong"));
}

namespace {

// An idea that is open again for another reason says so too.
void reopen_if_grown(Entry& entry, domain::NodeId trunk) {
  const bool is_open_again = entry.is_retry && entry.idea.state == IdeaState::kOpen;
  if ((!is_open_again && !may_return(entry)) || entry.tried_on == trunk) return;
  const double share = entry.idea.action.prediction.touched_share;
  if (share <= 0 || share < kGrowthToReturn * entry.share_when_tried) return;
  const auto growth =
      fmt::format("its share grew from {:.0f} % to {:.0f} % since {}", 100 * entry.share_when_tried,
                  100 * share, entry.last_node.text());
  if (!is_open_again)
    reopen(entry, growth);
  else if (!entry.idea.note.contains("its share grew"))
    entry.idea.note += "; " + growth;
}

}  // namespace

std::optional<domain::ActionId> Frontier::add(domain::Action action, domain::NodeId at,
                                              domain::NodeId trunk,
                                              const domain::Profile* profile) {
  const auto known = by_key_.find(domain::action_key(action));
  if (known == by_key_.end()) {
    Entry& entry = push(std::move(action), at);
    measure_share(entry, profile);
    return entry.idea.action.id;
  }
  Entry& entry = this->at(known->second);
  const bool is_over =
      entry.idea.state == IdeaState::kDone || entry.idea.state == IdeaState::kSuperseded;
  if (is_over || entry.is_in_flight) return std::nullopt;
  action.id = entry.idea.action.id;
  entry.idea.action = std::move(action);
  measure_share(entry, profile);
  if (at != entry.idea.proposed_at && !entry.is_retry)
    entry.idea.note =
        fmt::format("proposed at {}, again at {}", entry.idea.proposed_at.text(), at.text());
  reopen_if_grown(entry, trunk);
  return std::nullopt;
}

domain::ActionId Frontier::add_combination(domain::Action action, domain::NodeId at) {
  const auto known = by_key_.find(domain::action_key(action));
  if (known != by_key_.end()) {
    Entry& entry = this->at(known->second);
    action.id = entry.idea.action.id;
    entry.idea.action = std::move(action);
    return entry.idea.action.id;
  }
  Entry& entry = push(std::move(action), at);
  entry.is_combination = true;
  return entry.idea.action.id;
}

void Frontier::restore_combination(const domain::Action& action, domain::NodeId at) {
  ARBOR_CHECK(action.id == next_id(),
              "a combined action from the journal comes in the order it was made: " +
                  action.id.text() + ", expected " + next_id().text());
  add_combination(action, at);
}

bool Frontier::has(domain::ActionId id) const {
  return id.value >= 1 && id.value <= static_cast<std::int64_t>(entries_.size());
}

const Entry* Frontier::find(const domain::Action& action) const {
  const auto known = by_key_.find(domain::action_key(action));
  return known == by_key_.end() ? nullptr : &at(known->second);
}

const Entry& Frontier::at(domain::ActionId id) const {
  ARBOR_CHECK(has(id), "no such action: " + id.text());
  return entries_[static_cast<std::size_t>(id.value - 1)];
}

Entry& Frontier::at(domain::ActionId id) {
  ARBOR_CHECK(has(id), "no such action: " + id.text());
  return entries_[static_cast<std::size_t>(id.value - 1)];
}

Entry& Frontier::push(domain::Action action, domain::NodeId at) {
  Entry entry;
  action.id = next_id();
  by_key_.emplace(domain::action_key(action), action.id);
  entry.tie =
      base::Random::stream(seed_, "tie", static_cast<std::uint64_t>(action.id.value)).next();
  entry.idea.action = std::move(action);
  entry.idea.proposed_at = at;
  entry.share_when_proposed = entry.idea.action.prediction.touched_share;
  entries_.push_back(std::move(entry));
  return entries_.back();
}

void Frontier::reprofile(const domain::Profile& profile, domain::NodeId trunk) {
  if (profile.hotspots.empty()) return;  // nothing was seen, which is not the same as nothing there
  std::map<std::string, double> shares;
  for (auto& entry : entries_) {
    if (!entry.target_share_when_proposed || entry.idea.state == IdeaState::kDone) continue;
    const auto& target = entry.idea.action.target;
    auto found = shares.find(target);
    if (found == shares.end())
      found = shares.emplace(target, share_of_target(profile, target).value_or(0)).first;
    auto& touched = entry.idea.action.prediction.touched_share;
    touched = std::clamp(
        entry.share_when_proposed * found->second / *entry.target_share_when_proposed, 0.0, 1.0);
    if (found->second <= 0)
      entry.idea.note = fmt::format("{} is not in the profile of {}", target, trunk.text());
    reopen_if_grown(entry, trunk);
  }
}

void Frontier::reopen_enabled_by(const domain::Action& kept) {
  for (auto& entry : entries_) {
    if (!may_return(entry) || !is_enabled_by(entry.idea.action, kept)) continue;
    reopen(entry,
           fmt::format("{} was kept since {}", kept.title.empty() ? kept.strategy : kept.title,
                       entry.last_node.text()));
    restore_covered_by(entry.idea.action.id);
  }
}

void Frontier::spread_success(const std::vector<domain::Action>& kept) {
  for (auto& entry : entries_) {
    if (entry.idea.state == IdeaState::kDone) continue;
    const auto is_kept_instead = [&](const domain::Action& one) {
      return are_alternatives(entry.idea.action, one);
    };
    const auto is_similar = [&](const domain::Action& one) {
      return entry.idea.action.category == one.category;
    };
    const auto leads_on = [&](const domain::Action& one) {
      return is_beyond(entry.idea.action, one);
    };
    if (std::ranges::any_of(kept, leads_on)) continue;
    if (std::ranges::any_of(kept, is_kept_instead)) {
      multiply(entry, kAlternativeKept);
    } else if (std::ranges::any_of(kept, is_similar)) {
      multiply(entry, kSimilarKept);
    }
  }
}

void Frontier::spread_regression(const domain::Action& slower) {
  const auto is_part = [&](const Entry& entry) {
    return std::ranges::find(slower.parts, entry.idea.action.id) != slower.parts.end();
  };
  for (auto& entry : entries_) {
    if (entry.idea.state == IdeaState::kDone) continue;
    if (entry.idea.action.id == slower.id) {
      multiply(entry, kOwnRegression);
    } else if (is_beyond(entry.idea.action, slower)) {
      multiply(entry, kBeyondRegression);
    } else if (are_ordered(entry.idea.action, slower)) {
      continue;  // nearer or the other way: it may gain by what this one lost
    } else if (entry.idea.action.category == slower.category || is_part(entry)) {
      multiply(entry, kSimilarRegression);
    }
  }
}

void Frontier::weaken_beyond(const domain::Action& flat) {
  for (auto& entry : entries_)
    if (entry.idea.state != IdeaState::kDone && is_beyond(entry.idea.action, flat))
      multiply(entry, kBeyondFlat);
}

void Frontier::weaken_strategy(const domain::Action& discarded) {
  for (auto& entry : entries_)
    if (entry.idea.state != IdeaState::kDone && entry.idea.action.strategy == discarded.strategy &&
        entry.idea.action.category == discarded.category)
      multiply(entry, kStrategyDiscarded);
}

void Frontier::supersede_combinations_with(domain::ActionId kept_alone) {
  for (auto& entry : entries_) {
    if (!entry.is_combination || entry.idea.state != IdeaState::kOpen) continue;
    if (std::ranges::find(entry.idea.action.parts, kept_alone) == entry.idea.action.parts.end())
      continue;
    entry.idea.state = IdeaState::kSuperseded;
    entry.idea.note = kept_alone.text() + " was kept alone";
  }
}

void Frontier::supersede_covered_by(const domain::Action& first, const std::string& outcome) {
  for (auto& entry : entries_) {
    const bool is_over =
        entry.idea.state == IdeaState::kDone || entry.idea.state == IdeaState::kSuperseded;
    if (is_over || entry.is_in_flight || !covers(first, entry.idea.action)) continue;
    entry.idea.state = IdeaState::kSuperseded;
    entry.covered_by = first.id;
    entry.idea.note = fmt::format("covered by {}, {}",
                                  first.title.empty() ? first.strategy : first.title, outcome);
  }
}

void Frontier::restore_covered_by(domain::ActionId rolled_back) {
  for (auto& entry : entries_) {
    if (entry.idea.state != IdeaState::kSuperseded || entry.covered_by != rolled_back) continue;
    entry.idea.state = entry.idea.attempts > 0 ? IdeaState::kTried : IdeaState::kOpen;
    entry.idea.note = rolled_back.text() + ", which covered it, is open or was rolled back";
    entry.covered_by = {};
  }
}

}  // namespace arbor::search
