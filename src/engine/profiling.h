// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session.h"

namespace arbor::engine {

// Profiles the trunk, built with debug information, and journals the profile for its node.
base::Result<void> profile_trunk(Session& session);

}  // namespace arbor::engine
