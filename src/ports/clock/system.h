// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ports/clock/clock.h"

namespace arbor::ports {

// The machine's own time: CLOCK_BOOTTIME, so that a suspended laptop does not stretch a budget.
std::unique_ptr<Clock> make_system_clock();

}  // namespace arbor::ports
