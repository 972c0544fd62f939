// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/terminal.h"
#include "engine/services.h"

namespace arbor::app {

// Shows a campaign as it goes: the current phase in place on a terminal, and a line per verdict
// that reads like a story.
void watch(engine::Services& services, Terminal& terminal);

}  // namespace arbor::app
