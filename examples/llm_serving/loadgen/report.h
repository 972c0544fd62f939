// SPDX-License-Identifier: Apache-2.0

// The load generator's result as JSON.
#pragma once

#include <string>
#include <vector>

#include "drive.h"

namespace llm::loadgen {

// tokens_per_s counts generated tokens over the time of all levels, the server's start left out.
std::string to_json(const std::vector<LevelResult>& levels, double startup_ms);

}  // namespace llm::loadgen
