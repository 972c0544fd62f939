// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace arbor::app {
namespace {

constexpr std::size_t kRecentTrials = 5;
constexpr std::size_t kShortestTitle = 12;

std::string end_of_trial(const Progress& progress, double now_s) {
  if (progress.trial_expected_s <= 0) return "";
  const double left_s = progress.trial_expected_s - (now_s - progress.trial_began_s);
  return left_s > 0 ? fmt::format("  ends in about {}", base::format_duration(left_s))
                    : "  longer than the last ones";
}

}  // namespace

std::string elapsed_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} s", seconds) : base::format_duration(seconds);
}

std::string progress_line(const Progress& progress, double now_s, int width) {
  const double elapsed_s = progress.spent_before_s + now_s - progress.began_s;
  std::string head = elapsed_text(elapsed_s);
  if (progress.budget_s > 0)
    head += fmt::format(", {} left",
                        base::format_duration(std::max(0.0, progress.budget_s - elapsed_s)));
  std::string tail = progress.phase;
  if (!progress.node.empty()) tail += end_of_trial(progress, now_s);
  if (progress.best != 1) tail += fmt::format("  best {:.2f}×", progress.best);
  if (!progress.last.empty()) tail += "  last " + progress.last;
  if (progress.node.empty()) return head + "  " + tail;
  const std::size_t taken =
      base::columns_of(head) + base::columns_of(progress.node) + base::columns_of(tail) + 6;
  const auto wide = static_cast<std::size_t>(std::max(width, 0));
  const std::size_t room = wide > taken ? wide - taken : 0;
  return fmt::format("{}  {} {}: {}", head, progress.node,
                     base::elided(progress.title, std::max(room, kShortestTitle)), tail);
}

double expected_trial_s(const engine::CampaignState& state, const domain::Action& action) {
  std::vector<double> seconds;
  for (auto trial = state.trials.rbegin();
       trial != state.trials.rend() && seconds.size() < kRecentTrials; ++trial)
    if (trial->end && !trial->pairs.empty()) seconds.push_back(60 * trial->end->minutes);
  if (seconds.empty()) return 60 * action.prediction.minutes;
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

std::string phase_name(const std::string& phase) {
  const auto end = std::min(phase.find(','), phase.find_first_of("0123456789"));
  return std::string(base::trim(std::string_view(phase).substr(0, end)));
}

}  // namespace arbor::app
