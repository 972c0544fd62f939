// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "domain/measurement.h"

namespace arbor::engine {

// The CPU that both arms of the next pair share, drawn anew for each: cores differ, and a launch
// that moves between them is noise. Empty, hence any, unless every launch before it was seen to
// keep no more than one CPU busy.
std::vector<int> shared_cpu(std::span<const domain::Pair> before, const std::vector<int>& usable,
                            std::uint64_t seed);

}  // namespace arbor::engine
