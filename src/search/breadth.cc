// SPDX-License-Identifier: Apache-2.0
#include "search/breadth.h"

#include <fmt/format.h>

#include <algorithm>

namespace arbor::search {
namespace {

constexpr double kDear = 2;  // times the minutes of the best idea

class DuePick {
 public:
  DuePick(const Knowledge& knowledge, const Ranking& ranking) : k_(knowledge), ranking_(ranking) {}

  std::optional<Pick> find() const {
    const auto single = std::ranges::find_if(ranking_.ready, [&](domain::ActionId id) {
      return is_new(layer_of(id)) && is_plausible(score_of(id));
    });
    const auto combined = std::ranges::find_if(ranking_.combined, [&](const auto& ranked) {
      return new_layer(ranked).has_value() && is_plausible(ranked.score);
    });
    const bool has_single = single != ranking_.ready.end();
    const bool has_combined = combined != ranking_.combined.end();
    if (has_combined && (!has_single || combined->score.total > score_of(*single).total))
      return Pick{{}, &*combined, reason(*new_layer(*combined))};
    if (has_single) return Pick{*single, nullptr, reason(layer_of(*single))};
    return std::nullopt;
  }

 private:
  domain::Layer layer_of(domain::ActionId id) const { return k_.frontier.at(id).idea.action.layer; }
  const ScoreTerms& score_of(domain::ActionId id) const {
    return ranking_.scores[static_cast<std::size_t>(id.value - 1)];
  }
  bool is_new(domain::Layer layer) const { return !k_.progress.layers_tried().contains(layer); }

  std::optional<domain::Layer> new_layer(const RankedCombination& ranked) const {
    for (const auto part : ranked.combination.parts)
      if (is_new(layer_of(part))) return layer_of(part);
    return std::nullopt;
  }

  double best_minutes() const {
    if (ranking_.ready.empty()) return ranking_.combined.front().score.minutes;
    const auto& single = score_of(ranking_.ready.front());
    if (ranking_.combined.empty()) return single.minutes;
    const auto& combined = ranking_.combined.front().score;
    return combined.total > single.total ? combined.minutes : single.minutes;
  }

  bool is_plausible(const ScoreTerms& terms) const {
    return terms.g >= k_.options.delta1 && terms.minutes <= kDear * best_minutes();
  }

  std::string reason(domain::Layer layer) const {
    std::string tried;
    for (const auto one : k_.progress.layers_tried())
      tried += (tried.empty() ? "" : ", ") + std::string(domain::layer_name(one));
    return fmt::format("first of the {} layer, {} trials so far tried only: {}",
                       domain::layer_name(layer), k_.progress.trials(), tried);
  }

  const Knowledge& k_;
  const Ranking& ranking_;
};

}  // namespace

int layers_due(int trials) {
  if (trials <= 2) return 1;
  return trials <= 4 ? trials - 1 : 1 + trials / 2;
}

std::optional<Pick> due_layer_pick(const Knowledge& knowledge, const Ranking& ranking) {
  const auto tried = static_cast<int>(knowledge.progress.layers_tried().size());
  if (tried >= layers_due(knowledge.progress.trials() + 1)) return std::nullopt;
  if (knowledge.progress.trials() == 0) return std::nullopt;
  return DuePick(knowledge, ranking).find();
}

}  // namespace arbor::search
