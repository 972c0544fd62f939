// SPDX-License-Identifier: Apache-2.0
#include "search/combination.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "search/relations.h"

namespace arbor::search {
namespace {

using domain::ActionId;
using Parts = std::vector<ActionId>;

constexpr int kMaxCombinedAttempts = 4;
constexpr std::size_t kConsidered = 8;    // best near-misses, and dependents of one enabler
constexpr double kPairBonus = 1.5;        // on the sum of what each promises alone
constexpr double kAdditionalPart = 0.25;  // of its minutes: build and measurement are shared

struct Ranked {
  ActionId id;
  double gain = 0;
};

void rank(std::vector<Ranked>& ideas, std::size_t keep) {
  std::ranges::sort(ideas, [](const Ranked& a, const Ranked& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.id < b.id;
  });
  if (ideas.size() > keep) ideas.resize(keep);
}

const domain::Action& action_of(const CombinationView& view, ActionId id) {
  return view.frontier.at(id).idea.action;
}

bool is_available(const CombinationView& view, const Entry& entry) {
  if (entry.is_combination || entry.is_in_flight) return false;
  if (entry.combined_attempts >= kMaxCombinedAttempts) return false;
  // What lost together is tried alone before it may spoil another combination.
  if (entry.has_failed_together && entry.idea.attempts == 0) return false;
  if (entry.idea.action.prediction.touched_share <= 0) return false;
  return !view.is_forbidden(entry.idea.action.id);
}

bool fits(const CombinationView& view, const Parts& parts, ActionId added) {
  return std::ranges::all_of(parts, [&](ActionId part) {
    return can_go_together(action_of(view, part), action_of(view, added));
  });
}

// As many as fit together, best first.
Parts greedily(const CombinationView& view, Parts parts, const std::vector<Ranked>& ranked) {
  for (const auto& candidate : ranked)
    if (parts.size() < kMaxParts && fits(view, parts, candidate.id)) parts.push_back(candidate.id);
  std::ranges::sort(parts);
  return parts;
}

double sum_of(const Parts& parts, const std::vector<Ranked>& ranked) {
  double sum = 0;
  for (const auto& idea : ranked)
    if (std::ranges::find(parts, idea.id) != parts.end()) sum += idea.gain;
  return sum;
}

std::string titles(const CombinationView& view, const Parts& parts) {
  std::string text;
  for (const auto part : parts) {
    const auto& action = action_of(view, part);
    if (!text.empty()) text += " + ";
    text += action.title.empty() ? action.strategy : action.title;
  }
  return text;
}

// All of the ranked that fit, and after that every pair, in this order: the first not yet tried.
std::optional<Parts> first_untried(const CombinationView& view, const std::vector<Ranked>& ranked) {
  const auto is_due = [&](const Parts& parts) {
    return parts.size() >= 2 && sum_of(parts, ranked) >= view.delta1 && !view.is_tried(parts);
  };
  if (auto all = greedily(view, {}, ranked); is_due(all)) return all;
  for (std::size_t i = 0; i < ranked.size(); ++i)
    for (std::size_t j = i + 1; j < ranked.size(); ++j) {
      if (!fits(view, {ranked[i].id}, ranked[j].id)) continue;
      Parts pair = {ranked[i].id, ranked[j].id};
      std::ranges::sort(pair);
      if (is_due(pair)) return pair;
    }
  return std::nullopt;
}

void add_near_misses(const CombinationView& view, std::vector<Combination>& out) {
  std::vector<Ranked> near;
  for (const auto& entry : view.frontier.entries()) {
    if (!has_ended_alive(entry) || !is_available(view, entry)) continue;
    const auto& last = *entry.idea.last;
    if (last.kind == domain::VerdictKind::kInconclusive && last.gain && last.gain->estimate > 0)
      near.push_back({entry.idea.action.id, last.gain->estimate});
  }
  rank(near, kConsidered);
  const auto parts = first_untried(view, near);
  if (!parts) return;
  const double sum = sum_of(*parts, near);
  double upper = 0;
  for (const auto part : *parts) upper += view.frontier.at(part).idea.last->gain->high;
  out.push_back({CombinationKind::kNearMisses, *parts, sum, std::max(sum, upper),
                 fmt::format("combined trial of {} near-misses whose means add up to {:+.1f} %",
                             parts->size(), 100 * std::expm1(sum))});
}

void add_small(const CombinationView& view, std::vector<Combination>& out) {
  std::vector<Ranked> small;
  for (const auto& entry : view.frontier.entries()) {
    if (entry.idea.state != IdeaState::kOpen || !is_available(view, entry)) continue;
    const double gain = view.estimate(entry.idea.action.id).log_gain;
    if (gain > 0) small.push_back({entry.idea.action.id, gain});
  }
  rank(small, kConsidered);
  const auto parts = first_untried(view, small);
  if (!parts) return;
  const double sum = sum_of(*parts, small);
  out.push_back(
      {CombinationKind::kSmall, *parts, sum, sum,
       fmt::format("combined trial of {} ideas too small to be proved one by one", parts->size())});
}

// Its own failures lower what an idea still promises with another's help.
double promise(const CombinationView& view, const Entry& entry) {
  return view.estimate(entry.idea.action.id).log_gain * std::min(entry.idea.multiplier, 1.0);
}

bool is_untried(const CombinationView& view, const Entry& entry) {
  return entry.idea.state == IdeaState::kOpen && entry.idea.attempts == 0 &&
         is_available(view, entry);
}

// The partner that promises most and was not yet tried with it.
void add_pairs(const CombinationView& view, std::vector<Combination>& out) {
  for (const auto& entry : view.frontier.entries()) {
    const auto& uncertain = entry.idea.action;
    if (uncertain.pays_with.empty() || !is_untried(view, entry)) continue;
    std::vector<Ranked> partners;
    for (const auto& other : view.frontier.entries()) {
      const auto& partner = other.idea.action;
      const bool is_named = std::ranges::any_of(
          uncertain.pays_with, [&](const auto& word) { return names(word, partner); });
      if (is_named && is_untried(view, other) && can_go_together(uncertain, partner))
        partners.push_back({partner.id, promise(view, other)});
    }
    rank(partners, kConsidered);
    for (const auto& partner : partners) {
      Parts parts = {uncertain.id, partner.id};
      std::ranges::sort(parts);
      if (view.is_tried(parts)) continue;
      const double gain = kPairBonus * (promise(view, entry) + partner.gain);
      const double upper =
          view.estimate(uncertain.id).upper_log_gain + view.estimate(partner.id).upper_log_gain;
      if (gain <= 0 || upper < view.delta1) break;
      out.push_back({CombinationKind::kPair, parts, gain, std::max(gain, upper),
                     fmt::format("pair: {} may lose alone",
                                 uncertain.title.empty() ? uncertain.strategy : uncertain.title)});
      break;
    }
  }
}

// Ideas by the words that could name them, best first.
class Words {
 public:
  explicit Words(const CombinationView& view) {
    for (const auto& entry : view.frontier.entries()) {
      const bool is_open = entry.idea.state == IdeaState::kOpen;
      const bool has_attempts_left = entry.idea.attempts < kMaxAttempts;
      if (!(is_open || (has_ended_alive(entry) && has_attempts_left))) continue;
      if (!is_available(view, entry)) continue;
      add(view, entry);
    }
    for (auto* table : {&named_, &wanting_})
      for (auto& [word, ideas] : *table) rank(ideas, kConsidered);
  }

  // What the action enables, by its own word or by theirs.
  std::vector<Ranked> dependents_of(const domain::Action& action) const {
    std::vector<Ranked> found;
    for (const auto& word : action.enables) append(named_, word, found);
    for (const auto& word : words_of(action)) append(wanting_, word, found);
    std::erase_if(found, [&](const Ranked& idea) { return idea.id == action.id; });
    rank(found, found.size());
    const auto [first, last] =
        std::ranges::unique(found, [](const Ranked& a, const Ranked& b) { return a.id == b.id; });
    found.erase(first, last);
    if (found.size() > kConsidered) found.resize(kConsidered);
    return found;
  }

 private:
  using Table = std::map<std::string, std::vector<Ranked>, std::less<>>;

  static std::set<std::string> words_of(const domain::Action& action) {
    std::set<std::string> words = {action.category, action.strategy,
                                   std::string(strategy_family(action.strategy))};
    for (auto dot = action.category.find('.'); dot != std::string::npos;
         dot = action.category.find('.', dot + 1))
      words.insert(action.category.substr(0, dot));
    words.erase("");
    return words;
  }

  void add(const CombinationView& view, const Entry& entry) {
    const auto& action = entry.idea.action;
    const Ranked ranked = {action.id, promise(view, entry)};
    for (const auto& word : words_of(action)) named_[word].push_back(ranked);
    for (const auto& word : action.enabled_by) wanting_[word].push_back(ranked);
  }

  static void append(const Table& table, std::string_view word, std::vector<Ranked>& found) {
    if (const auto ideas = table.find(word); ideas != table.end())
      found.insert(found.end(), ideas->second.begin(), ideas->second.end());
  }

  Table named_, wanting_;
};

bool is_weak_enabler(const CombinationView& view, const Entry& entry) {
  if (!is_available(view, entry)) return false;
  if (has_ended_alive(entry)) return true;
  return entry.idea.state == IdeaState::kOpen &&
         view.estimate(entry.idea.action.id).log_gain < view.delta1;
}

std::optional<Parts> enabled_parts(const CombinationView& view, ActionId enabler,
                                   const std::vector<Ranked>& dependents) {
  const auto is_due = [&](const Parts& parts) {
    if (parts.size() < 2 || view.is_tried(parts)) return false;
    double upper = 0;
    for (const auto part : parts)
      if (part != enabler) upper += view.estimate(part).upper_log_gain;
    return upper >= view.delta1 && sum_of(parts, dependents) > 0;
  };
  if (auto all = greedily(view, {enabler}, dependents); is_due(all)) return all;
  for (const auto& dependent : dependents)
    if (auto pair = greedily(view, {enabler}, {dependent}); is_due(pair)) return pair;
  return std::nullopt;
}

void add_enabled(const CombinationView& view, std::vector<Combination>& out) {
  const Words words(view);
  for (const auto& entry : view.frontier.entries()) {
    const auto& enabler = entry.idea.action;
    if (!is_weak_enabler(view, entry)) continue;
    const auto dependents = words.dependents_of(enabler);
    const auto parts = enabled_parts(view, enabler.id, dependents);
    if (!parts) continue;
    double upper = 0;
    for (const auto part : *parts) upper += view.estimate(part).upper_log_gain;
    const std::string name = enabler.title.empty() ? enabler.strategy : enabler.title;
    out.push_back({CombinationKind::kEnabled, *parts, sum_of(*parts, dependents), upper,
                   fmt::format("combined trial: {} may not pay alone but enables the rest", name)});
  }
}

}  // namespace

std::vector<Combination> combinations(const CombinationView& view, bool has_single_ideas) {
  std::vector<Combination> found;
  add_near_misses(view, found);
  add_pairs(view, found);
  add_enabled(view, found);
  if (!has_single_ideas && found.empty()) add_small(view, found);
  std::set<Parts> seen;
  std::erase_if(found, [&](const auto& one) { return !seen.insert(one.parts).second; });
  return found;
}

domain::Action combined_action(const Combination& combination, const CombinationView& view) {
  domain::Action action;
  action.category = kCombinedCategory;
  action.specialist = kCombinedCategory;
  action.parts = combination.parts;
  action.title = "Together: " + titles(view, combination.parts);
  action.rationale = combination.why;
  double share = 0, largest_share = -1, minutes = 0, longest = 0;
  double is_accurate = 1, is_stable = 1;
  for (const auto part : combination.parts) {
    const Estimate estimate = view.estimate(part);
    action.strategy += (action.strategy.empty() ? "" : "+") + part.text();
    share += estimate.touched_share;
    minutes += estimate.minutes;
    longest = std::max(longest, estimate.minutes);
    is_accurate *= 1 - estimate.accuracy_risk;
    is_stable *= 1 - estimate.crash_risk;
    if (estimate.touched_share <= largest_share) continue;
    largest_share = estimate.touched_share;
    action.layer = action_of(view, part).layer;
  }
  auto& prediction = action.prediction;
  const double saved = 1 - std::exp(-combination.log_gain);
  prediction.touched_share = std::clamp(std::max(share, saved), 1e-6, 1.0);
  prediction.local_speedup = 1 / std::max(1 - saved / prediction.touched_share, 1e-3);
  prediction.upper_speedup = std::exp(combination.upper_log_gain);
  prediction.minutes = longest + kAdditionalPart * (minutes - longest);
  prediction.accuracy_risk = 1 - is_accurate;
  prediction.crash_risk = 1 - is_stable;
  return action;
}

}  // namespace arbor::search
