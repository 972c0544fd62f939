// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace arbor::engine {

// One of the two keys of a keep, as it was turned or withheld.
struct KeySignature {
  std::string role;  // "orchestrator", "critic"
  bool is_signed = false;
  std::string reason;
  bool operator==(const KeySignature&) const = default;
};

}  // namespace arbor::engine
