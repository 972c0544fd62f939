// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace arbor::app {

// What this binary was built from.
struct BuildFacts {
  std::string version;
  std::string commit;  // empty when it was not built from a git checkout
  std::string compiler;
  std::string build_type;
};
BuildFacts build_facts();

}  // namespace arbor::app
