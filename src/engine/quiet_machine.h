// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session.h"

namespace arbor::engine {

// Waits while other work keeps the machine busy, and says so: pairs measured meanwhile would only
// be voided. Ends after ten minutes, or when the session's trials end, whatever the load is then.
base::Result<void> wait_until_quiet(const Session& session);

}  // namespace arbor::engine
