// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace arbor::ports {

// What every message about a damaged journal ends with.
inline constexpr std::string_view kDamageAdvice =
    "Copy the whole folder away first; then `sqlite3 campaign.db .recover` saves what is readable, "
    "or start a new campaign.";

// For an error found in entries that the store could read: kCorrupt gets the journal's file and the
// advice, every other kind stays as it is. folder: the campaign's .arbor folder.
std::unexpected<base::Error> unusable_journal(const std::filesystem::path& folder,
                                              base::Error error);

}  // namespace arbor::ports
