// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "engine/journal.h"

namespace arbor::engine {

// Why a record that could be read cannot have been written by Arbor: a number out of its bounds,
// with the key it stands at ("'pair.trunk.wall_ns' is -3, a time is not negative"). The bounds are
// those of the quantity, wide of anything a campaign meets.
std::optional<std::string> objection_to(const Record& record);

}  // namespace arbor::engine
