// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "search/ranking.h"

namespace arbor::search {

// The goal is reached, or too many trials crashed: no further trial whatever the frontier holds.
std::optional<std::string> final_reason(const Knowledge& knowledge);

// Why there is nothing to hand out, as a sentence that says what would be tried next. Empty while
// there is something, or while a trial is in flight whose verdict may open something.
std::string reason_to_stop(const Knowledge& knowledge, const Ranking& ranking);

}  // namespace arbor::search
