// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/wiring.h"

namespace arbor::app {

// The trial of the node or trial that a verb was given ("n3", "t3", "3"). kUsage names what exists.
base::Result<const engine::Trial*> trial_argument(const Campaign& campaign,
                                                  const Arguments& arguments);

}  // namespace arbor::app
