// SPDX-License-Identifier: Apache-2.0
#include "domain/change.h"

// Apart from the rest of change.h: the compiler shim takes this part alone.
namespace arbor::domain {

bool is_removed_by(std::string_view flag, std::string_view pattern) {
  if (pattern.ends_with('*')) return flag.starts_with(pattern.substr(0, pattern.size() - 1));
  return flag == pattern;
}

}  // namespace arbor::domain
