// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "app/cli/terminal.h"
#include "app/wiring.h"

// How every verb begins that only reads a campaign. Both return what show returns, or the exit code
// of the error, which is printed.
namespace arbor::app {

int on_campaign(const Arguments& arguments, Terminal& terminal,
                const std::function<int(const Campaign&)>& show);

// With the node or trial that the verb was given ("n3", "t3", "3"); an unknown one is kUsage and
// the message says which there are.
int on_node(const Arguments& arguments, Terminal& terminal,
            const std::function<int(const Campaign&, const engine::Trial&)>& show);

// The positional that such a verb takes.
Positional node_positional();

}  // namespace arbor::app
