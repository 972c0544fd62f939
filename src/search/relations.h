// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "domain/action.h"

// How two actions stand to one another.
namespace arbor::search {

// What a strategy sets, without the value: "batch=8" → "batch", "-O3" → "-O".
std::string_view strategy_family(std::string_view strategy);

// Both set the same thing to different values (two values of one knob, two allocators): never in
// one trial, and one kept does not close the other.
bool are_alternatives(const domain::Action& a, const domain::Action& b);

// A word of `enables` or `enabled_by` names a category, everything below one ("kernel" names
// "kernel.loop"), a strategy or a strategy's family.
bool names(std::string_view word, const domain::Action& action);
// first kept may make second pay: either of the two says so.
bool is_enabled_by(const domain::Action& second, const domain::Action& first);

// May be carried out in one trial and each keep its own effect: no alternatives, and not two edits
// of one place.
bool can_go_together(const domain::Action& a, const domain::Action& b);

}  // namespace arbor::search
