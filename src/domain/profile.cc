// SPDX-License-Identifier: Apache-2.0
#include "domain/profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace arbor::domain {

double profile_shift(const Profile& before, const Profile& after) {
  std::map<std::pair<std::string, std::string>, double> change;
  for (const auto& spot : before.hotspots) change[{spot.symbol, spot.object}] -= spot.share;
  for (const auto& spot : after.hotspots) change[{spot.symbol, spot.object}] += spot.share;
  double sum = 0;
  for (const auto& [symbol, difference] : change) sum += std::abs(difference);
  return sum / 2;
}

double share_matching(const Profile& profile, const std::vector<std::string>& words) {
  double sum = 0;
  for (const auto& spot : profile.hotspots)
    if (std::ranges::any_of(words, [&](const auto& word) { return spot.symbol.contains(word); }))
      sum += spot.share;
  return sum;
}

}  // namespace arbor::domain
