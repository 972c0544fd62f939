// SPDX-License-Identifier: Apache-2.0
#include "search/ranking.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace arbor::search {
namespace {

std::size_t index_of(domain::ActionId id) { return static_cast<std::size_t>(id.value - 1); }

// A part of the run cannot be made to take less than no time (Amdahl).
double capped_by_share(double log_gain, double touched_share) {
  if (touched_share <= 0) return 0;
  if (touched_share >= 1) return log_gain;
  return std::min(log_gain, -std::log(1 - touched_share));
}

Estimate estimate_of(const domain::Action& action, const Knowledge& knowledge) {
  const auto prediction = with_prior(action.prediction, action.category);
  Estimate estimate;
  estimate.touched_share = std::clamp(prediction.touched_share, 0.0, 1.0);
  estimate.local_speedup = prediction.local_speedup;
  estimate.log_gain = domain::expected_log_gain(prediction);
  estimate.minutes = knowledge.minutes.of(action);
  estimate.accuracy_risk = knowledge.risks.accuracy(action, prediction.accuracy_risk);
  estimate.crash_risk = knowledge.risks.crash(action, prediction.crash_risk);
  estimate.upper_log_gain =
      capped_by_share(std::log(prediction.upper_speedup), estimate.touched_share);
  return estimate;
}

Moment moment_of(const Knowledge& knowledge) {
  Moment moment;
  moment.is_as_printed = knowledge.options.is_as_printed;
  moment.trials_so_far = knowledge.progress.trials() + 1;
  moment.trials_since_gain = knowledge.progress.trials_since_gain();
  moment.gap = gap_multiplier(knowledge.options.goal_speedup,
                              knowledge.tree.gain_of(knowledge.tree.trunk()));
  return moment;
}

class Ranker {
 public:
  explicit Ranker(const Knowledge& knowledge) : k_(knowledge), moment_(moment_of(knowledge)) {}

  Ranking rank() {
    for (const auto& entry : k_.frontier.entries()) rank_one(entry);
    add_combinations();
    normalise();
    sort();
    return std::move(ranking_);
  }

 private:
  bool is_open(const Entry& entry) const {
    return entry.idea.state == IdeaState::kOpen && !entry.is_in_flight && !entry.is_combination;
  }

  void rank_one(const Entry& entry) {
    const auto& action = entry.idea.action;
    const auto estimate = estimate_of(action, k_);
    const auto ruling = k_.constraints.rule_on(
        action, [&](domain::NodeId node) { return is_below_trunk(k_.tree, node); });
    ranking_.estimates.push_back(estimate);
    ranking_.rulings.push_back(ruling);
    ranking_.scores.push_back(raw_terms(estimate, moment_, k_.progress.trials_in(action.category),
                                        entry.idea.multiplier * ruling.weight));
    ranking_.order.push_back(action.id);
    if (!is_open(entry)) return;
    ++ranking_.open;
    if (ruling.forbidden_by) {
      ++ranking_.forbidden;
      return;
    }
    if (estimate.upper_log_gain > ranking_.upper_bound) {
      ranking_.upper_bound = estimate.upper_log_gain;
      ranking_.widest = action.id;
    }
    if (estimate.upper_log_gain < k_.options.delta1) {
      ++ranking_.too_small;
    } else {
      ranking_.ready.push_back(action.id);
    }
  }

  void add_combinations() {
    CombinationView view{k_.frontier, k_.options.delta1,
                         [&](domain::ActionId id) {
                           return ranking_.rulings[index_of(id)].forbidden_by.has_value();
                         },
                         [&](domain::ActionId id) { return ranking_.estimates[index_of(id)]; },
                         [&](const std::vector<domain::ActionId>& parts) {
                           return k_.progress.has_combined(k_.tree.trunk(), parts);
                         }};
    for (auto& combination : combinations(view, !ranking_.ready.empty())) {
      RankedCombination ranked;
      ranked.action = combined_action(combination, view);
      const auto ruling = k_.constraints.rule_on(
          ranked.action, [&](domain::NodeId node) { return is_below_trunk(k_.tree, node); });
      if (ruling.forbidden_by) continue;
      ranked.score = score_of(ranked.action, ruling.weight);
      ranked.tie = base::Random::stream(k_.options.seed, ranked.action.strategy).next();
      ranking_.upper_bound = std::max(ranking_.upper_bound, combination.upper_log_gain);
      ranked.combination = std::move(combination);
      ranking_.combined.push_back(std::move(ranked));
    }
  }

  // A combination is no fresher than the most explored of its parts: its own category starts at
  // zero trials and would otherwise win every exploration.
  ScoreTerms score_of(const domain::Action& combined, double weight) const {
    int trials = k_.progress.trials_in(combined.category);
    for (const auto part : combined.parts) {
      trials = std::max(trials, k_.progress.trials_in(k_.frontier.at(part).idea.action.category));
      weight *= ranking_.rulings[index_of(part)].weight;
    }
    if (const Entry* known = k_.frontier.find(combined)) weight *= known->idea.multiplier;
    return raw_terms(estimate_of(combined, k_), moment_, trials, weight);
  }

  void normalise() {
    double largest = 0;
    for (const auto id : ranking_.ready)
      largest = std::max(largest, ranking_.scores[index_of(id)].exploit_raw);
    for (const auto& ranked : ranking_.combined)
      largest = std::max(largest, ranked.score.exploit_raw);
    for (auto& terms : ranking_.scores) complete(terms, largest, moment_.is_as_printed);
    for (auto& ranked : ranking_.combined) complete(ranked.score, largest, moment_.is_as_printed);
  }

  void sort() {
    const auto is_better = [&](domain::ActionId a, domain::ActionId b) {
      const double first = ranking_.scores[index_of(a)].total;
      const double second = ranking_.scores[index_of(b)].total;
      if (first != second) return first > second;
      const auto tie_a = k_.frontier.at(a).tie, tie_b = k_.frontier.at(b).tie;
      return tie_a != tie_b ? tie_a < tie_b : a < b;
    };
    std::ranges::sort(ranking_.order, is_better);
    std::ranges::sort(ranking_.ready, is_better);
    std::ranges::sort(ranking_.combined, [](const auto& a, const auto& b) {
      if (a.score.total != b.score.total) return a.score.total > b.score.total;
      return a.tie != b.tie ? a.tie < b.tie : a.action.parts < b.action.parts;
    });
  }

  const Knowledge& k_;
  Moment moment_;
  Ranking ranking_;
};

}  // namespace

Ranking rank_all(const Knowledge& knowledge) { return Ranker(knowledge).rank(); }

bool is_below_trunk(const Tree& tree, domain::NodeId node) {
  return tree.has(node) && tree.is_on_path(node, tree.trunk());
}

}  // namespace arbor::search
