// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace arbor::workspace {

// Arbor's own bare repository, made or taken up again. Whatever a git would read there as a setting
// is written afresh or removed each time, so nothing that somebody put into it is ever believed:
// HEAD, config, the list of borrowed objects, attributes, hooks, another folder in its place.
base::Result<void> make_own_git(const std::filesystem::path& git_dir,
                                const std::filesystem::path& user_common_dir,
                                const std::string& object_format);

}  // namespace arbor::workspace
