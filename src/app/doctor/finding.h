// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace arbor::app {

// One line of `arbor doctor`.
struct Finding {
  std::string name;
  bool is_ok = false;
  bool is_needed = false;  // a campaign cannot run without it
  std::string detail;      // what was found, or how to get it
  bool is_advice = false;  // nothing is missing, but it could be better
};

}  // namespace arbor::app
