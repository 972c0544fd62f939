// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/profile.h"

// Where an action's target stands in a profile.
namespace arbor::search {

// "void ns::matvec<float>(float const*)" → "matvec". The name alone, because the compiler inlines
// a function into a lambda, clones it or specialises it, and the sampled symbol then differs.
std::string function_name(std::string_view symbol);

// The name is that function, a clone of it or something inside it ("matvec(int)::{lambda()#1}"); a
// type of that name among the parameters is not.
bool is_within(std::string_view symbol, std::string_view name);

// Σ share of what the target covers: a symbol by its name, a file by its path ("src/a.cc:12" too).
// Nothing for a target that is no place in the program ("", "knob:batch").
std::optional<double> share_of_target(const domain::Profile& profile, std::string_view target);

}  // namespace arbor::search
