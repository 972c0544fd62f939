// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "domain/action.h"

// How two actions stand to one another.
namespace arbor::search {

// What a strategy sets, without the value: "batch=8" → "batch", "-O3" → "-O".
std::string_view strategy_family(std::string_view strategy);

// Both settle one thing at one place (two values of one knob, fast-math as a whole and in parts):
// never in one trial; one kept closes the other only where it covers it.
bool are_alternatives(const domain::Action& a, const domain::Action& b);

// Alternatives with an order, and among them: `far` lies behind `near`, as the trunk sees them.
bool are_ordered(const domain::Action& a, const domain::Action& b);
bool is_beyond(const domain::Action& far, const domain::Action& near);

// With first kept, second changes nothing more: first says so, and reaches second's place.
bool covers(const domain::Action& first, const domain::Action& second);

// A word of `enables` or `enabled_by` names a category, everything below one ("kernel" names
// "kernel.loop"), a strategy or a strategy's family.
bool names(std::string_view word, const domain::Action& action);
// first kept may make second pay: either of the two says so.
bool is_enabled_by(const domain::Action& second, const domain::Action& first);

// May be carried out in one trial and each keep its own effect: no alternatives, and not two edits
// of one place.
bool can_go_together(const domain::Action& a, const domain::Action& b);

}  // namespace arbor::search
