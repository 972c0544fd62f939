// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/verbs/verbs.h"
#include "app/wiring.h"
#include "ports/store/controller_lock.h"

namespace arbor::app {
namespace {

int run(const Arguments& arguments, Terminal& terminal) {
  const auto root = find_program(arguments);
  if (!root) return terminal.fail(root.error());
  const auto pid = ports::lock_holder(*root / ".arbor" / "lock");
  if (!pid) {
    if (terminal.is_json())
      terminal.print_json({{"schema", "arbor.stop/1"}, {"pid", nullptr}});
    else
      terminal.print("No campaign is running here.\n");
    return kExitDone;
  }
  if (::kill(*pid, SIGINT) != 0)
    return terminal.fail(
        {base::ErrorKind::kIo,
         fmt::format("cannot signal the controller (pid {}): {}", *pid, std::strerror(errno))});
  if (terminal.is_json())
    terminal.print_json({{"schema", "arbor.stop/1"}, {"pid", *pid}});
  else
    terminal.print(
        fmt::format("Asked the controller (pid {}) to stop; it saves what is decided.\n", *pid));
  return kExitDone;
}

}  // namespace

Verb stop_verb() {
  return {"stop", "Ask the running campaign to save and stop", "arbor stop", {}, {}, run};
}

}  // namespace arbor::app
