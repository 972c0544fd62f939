// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>

#include "app/init/inspect.h"
#include "app/init/try_commands.h"

namespace arbor::app {

// What nothing in the program's folder names, guessed from what its build makes: the program that
// does the most work when it is started becomes the bench, and what the bench prints, compared with
// what the original prints, the check. Every guess is marked as one in the findings' notes, with
// how to sharpen it; where there is no guess the notes say what to write.
//
// Returns the build's own failure, if it failed. Errors are the world's.
base::Result<std::optional<Attempt>> propose_missing(const std::filesystem::path& root,
                                                     InitFindings& findings, Terminal& terminal,
                                                     std::stop_token stop);

}  // namespace arbor::app
