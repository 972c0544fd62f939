// SPDX-License-Identifier: Apache-2.0
#include "search/stopping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace arbor::search {
namespace {

std::string name_of(const domain::Action& action) {
  return action.title.empty() ? action.strategy : action.title;
}

}  // namespace

std::optional<std::string> final_reason(const Knowledge& knowledge) {
  const auto& options = knowledge.options;
  const double speedup = std::exp(knowledge.tree.gain_of(knowledge.tree.trunk()));
  if (options.goal_speedup && speedup >= *options.goal_speedup)
    return fmt::format("goal reached: {:.3f}x of {:.3f}x", speedup, *options.goal_speedup);
  const int crashes = knowledge.progress.crashes();
  if (crashes >= options.crash_limit)
    return fmt::format("{} trials crashed, the limit is {}",
                       crashes == 10 ? "ten" : fmt::to_string(crashes), options.crash_limit);
  return std::nullopt;
}

std::string reason_to_stop(const Knowledge& knowledge, const Ranking& ranking) {
  if (auto reason = final_reason(knowledge)) return *reason;
  if (!ranking.ready.empty() || !ranking.combined.empty()) return "";
  if (knowledge.progress.in_flight() > 0) return "";
  if (ranking.too_small > 0) {
    const auto next = ranking.widest.is_valid()
                          ? name_of(knowledge.frontier.at(ranking.widest).idea.action)
                          : std::string("none that touches the profile");
    return fmt::format(
        "no open idea can gain {:.1f} %: the best bound of {} is {:.2f} %; next would be: {}",
        100 * std::expm1(knowledge.options.delta1), ranking.too_small,
        100 * std::expm1(ranking.upper_bound), next);
  }
  if (ranking.forbidden > 0)
    return fmt::format("all {} open ideas are forbidden by constraints", ranking.forbidden);
  const auto tried = std::ranges::count_if(knowledge.frontier.entries(), [](const Entry& entry) {
    return entry.idea.state == IdeaState::kTried;
  });
  return fmt::format("of {} proposed ideas none is left; {} were tried and not kept",
                     knowledge.frontier.size(), tried);
}

}  // namespace arbor::search
