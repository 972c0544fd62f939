// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/manifest.h"

// The check's self-test: wrong outputs, made from the right one, that a sound rule refuses.
namespace arbor::measure {

struct Mutation {
  std::string name;  // "zeros", "mean", "shifted", "permuted", "nan", "truncated", "empty", "input"
  std::string text;
};

// Mutations that make sense for this output: without numbers there are none of numbers, and a
// single number has no mean or order of its own. inputs: texts that the program was given; copying
// one to the output is no work. shifted: each number off by twice the rule's tolerance.
std::vector<Mutation> mutations_of(std::string_view golden, const domain::OutputRule& rule,
                                   std::span<const std::string> inputs = {});

// Names of the mutations that the rule lets through; empty is good. A golden output that is itself
// constant lets "mean" or "zeros" through: no tolerance can tell them from a real result.
std::vector<std::string> mutations_let_through(std::string_view golden,
                                               const domain::OutputRule& rule,
                                               std::span<const std::string> inputs = {});

}  // namespace arbor::measure
