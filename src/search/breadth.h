// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "search/ranking.h"

// A short campaign must not spend all its trials on one layer, however well that one scores: what
// the others are worth is only known by trying. docs/adr/0011-early-trials-cover-layers.md.
namespace arbor::search {

// What is handed out: one idea, or a combination of the ranking.
struct Pick {
  domain::ActionId single;
  const RankedCombination* combined = nullptr;
  std::string why;  // put before the choice's own reason; empty where the score alone decided
};

// How many layers so many trials should have tried, if there are plausible ideas: 1 1 2 3 3 4 4 5 …
int layers_due(int trials);

// The best plausible pick of a layer that was never tried, where the next trial would leave fewer
// layers tried than are due. Plausible: it promises δ1 and is not dear beside the best idea.
std::optional<Pick> due_layer_pick(const Knowledge& knowledge, const Ranking& ranking);

}  // namespace arbor::search
