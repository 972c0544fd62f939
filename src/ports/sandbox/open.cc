// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/bubblewrap.h"
#include "ports/sandbox/sandbox.h"

// The ladder of sandboxes, best first (docs/adr/0008-sandbox-ladder.md).
namespace arbor::ports {

base::Result<std::unique_ptr<Sandbox>> open_sandbox(const std::filesystem::path& scratch, bool) {
  return open_bubblewrap(scratch);
}

}  // namespace arbor::ports
