// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/bubblewrap.h"
#include "ports/sandbox/sandbox.h"
#include "ports/sandbox/unsafe/plain_processes.h"

// The ladder of sandboxes, best first (docs/adr/0008-sandbox-ladder.md). --unsafe adds its last
// rung; it does not take the better ones away.
namespace arbor::ports {

base::Result<std::unique_ptr<Sandbox>> open_sandbox(const std::filesystem::path& scratch,
                                                    bool is_unsafe) {
  auto sandbox = open_bubblewrap(scratch);
  const bool is_last_resort =
      !sandbox && is_unsafe && sandbox.error().kind == base::ErrorKind::kUnsupported;
  return is_last_resort ? open_plain_processes(scratch) : std::move(sandbox);
}

}  // namespace arbor::ports
