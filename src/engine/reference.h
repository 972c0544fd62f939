// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "engine/session.h"
#include "measure/accuracy.h"

namespace arbor::engine {

// The seed of the check that golden outputs were made with.
inline constexpr std::uint64_t kGoldenSeed = 1;

// What the baseline's own check gave, from the journal and its objects.
base::Result<measure::CheckReference> stored_reference(const Session& session);

}  // namespace arbor::engine
