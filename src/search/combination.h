// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/frontier.h"
#include "search/score.h"

// Several ideas in one trial: greedy keep-or-revert misses what pays only together.
namespace arbor::search {

enum class CombinationKind {
  kNearMisses,  // inconclusive each, with positive means whose sum promises δ1
  kPair,        // what may lose alone, with what it says it pays with, before either was tried
  kEnabled,     // an enabler that does not pay alone, with what it makes pay
  kSmall,       // open ideas too small to be proved one by one; only when nothing else is left
};

struct Combination {
  CombinationKind kind = CombinationKind::kNearMisses;
  std::vector<domain::ActionId> parts;  // sorted
  double log_gain = 0;                  // expected
  double upper_log_gain = 0;            // the product bound: it promises δ1 or is not made
  std::string why;
};

// What combining must know and the frontier does not.
struct CombinationView {
  const Frontier& frontier;
  double delta1 = 0.01;
  std::function<bool(domain::ActionId)> is_forbidden;
  std::function<Estimate(domain::ActionId)> estimate;
  // These parts (sorted) were already tried together on this trunk.
  std::function<bool(const std::vector<domain::ActionId>&)> is_tried;
};

// All that are due, without repeats. O(n log n) in the number of ideas.
std::vector<Combination> combinations(const CombinationView& view, bool has_single_ideas);

// The action of a combination; its id is not given yet. Parts' estimates make its prediction.
domain::Action combined_action(const Combination& combination, const CombinationView& view);

inline constexpr std::size_t kMaxParts = 4;
inline constexpr const char* kCombinedCategory = "combined";

}  // namespace arbor::search
