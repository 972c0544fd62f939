// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "base/error.h"

namespace arbor::ports {

// Makes a tree of Arbor's writable for the unprivileged user that launches run as. Cheap when it is
// already theirs: only the top folder is looked at, and it is given away last. Files with more than
// one hard link keep their owner: the other name may be in the user's own repository.
base::Result<void> give_tree(const std::filesystem::path& tree, uid_t uid);

}  // namespace arbor::ports
