// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/verb.h"

namespace arbor::app {

// The manual page arbor(1) as roff for man(7), made from the table of verbs.
std::string manual_page(const std::vector<Verb>& verbs, const std::string& version);

}  // namespace arbor::app
