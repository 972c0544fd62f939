// SPDX-License-Identifier: Apache-2.0
#include "measure/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace arbor::measure {
namespace {
// Three decimals near 1, where they matter; fewer as the factor grows.
std::string factor_text(double log_gain) {
  const double factor = std::exp(std::clamp(log_gain, -20.0, 20.0));
  if (factor >= 99.5) return fmt::format("{:.0f}", factor);
  if (factor >= 9.95) return fmt::format("{:.1f}", factor);
  if (std::abs(factor - 1) < 0.095) return fmt::format("{:.3f}", factor);
  return fmt::format("{:.2f}", factor);
}
}  // namespace

std::string speedup_text(double log_gain) { return factor_text(log_gain) + "×"; }

std::string percent_text(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string figures_text(const Figures& figures) {
  const auto& gain = figures.log_gain;
  std::string pairs = std::to_string(figures.first_stage_pairs);
  if (figures.confirm_pairs > 0) pairs += fmt::format("+{}", figures.confirm_pairs);
  const bool is_one = figures.first_stage_pairs == 1 && figures.confirm_pairs == 0;
  return fmt::format("{} [{}, {}] over {} pair{}, noise {}", speedup_text(gain.estimate),
                     factor_text(gain.low), factor_text(gain.high), pairs, is_one ? "" : "s",
                     percent_text(figures.noise));
}

}  // namespace arbor::measure
