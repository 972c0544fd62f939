// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "search/combination.h"
#include "search/constraints.h"
#include "search/frontier.h"
#include "search/priors.h"
#include "search/progress.h"
#include "search/score.h"
#include "search/tree.h"

namespace arbor::search {

// All that the search knows at one moment.
struct Knowledge {
  explicit Knowledge(SearchOptions with) : options(with), frontier(with.seed) {}
  SearchOptions options;
  Tree tree;
  Frontier frontier;
  Risks risks;
  Minutes minutes;
  Constraints constraints;
  Progress progress;
};

struct RankedCombination {
  Combination combination;
  domain::Action action;
  ScoreTerms score;
  std::uint64_t tie = 0;
};

// Every score at one moment. Exploit is normalised over all of them at once, so they are computed
// together, in O(n log n), and stay valid until the knowledge changes.
struct Ranking {
  std::vector<Estimate> estimates;  // of action aN at index N−1, as are rulings and scores
  std::vector<Ruling> rulings;
  std::vector<ScoreTerms> scores;
  std::vector<domain::ActionId> order;         // of all ideas, best first
  std::vector<domain::ActionId> ready;         // that may be handed out, best first
  std::vector<RankedCombination> combined;     // that are due, best first
  double upper_bound = 0;                      // the largest log gain any of the open could have
  domain::ActionId widest;                     // whose bound it is, if a single idea's
  int open = 0, too_small = 0, forbidden = 0;  // open ones, and why some of them are not ready
};

Ranking rank_all(const Knowledge& knowledge);

// Whether the constraint's subtree holds the trunk.
bool is_below_trunk(const Tree& tree, domain::NodeId node);

}  // namespace arbor::search
