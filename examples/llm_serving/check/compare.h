// SPDX-License-Identifier: Apache-2.0

// Holds a server's replies against the reference.
#pragma once

#include <string>
#include <vector>

#include "reference.h"
#include "reference_tokenizer.h"
#include "server_run.h"

namespace llm::check {

// A logit may be off by kTolerance * (1 + |reference|).
//
// A float32 forward pass of this model is off by up to 2e-5 of that unit, whatever the order of its
// sums; the same pass with weights rounded to bfloat16 by 1e-1 and more. The tolerance lies between,
// ten times the former.
inline constexpr double kTolerance = 2e-4;

struct Comparison {
  std::vector<std::string> failures;  // empty: all is well
  double max_error = 0;               // in units of 1 + |reference|
  int tokens = 0;
  int near_ties = 0;  // tokens that differ where the reference is undecided
  // The logits up to a prompt's first near tie: there, equally right servers may part.
  std::vector<std::string> stable_logits;
};

Comparison compare(const std::vector<Prompt>& prompts, const std::vector<Reply>& replies,
                   const Reference& reference, const ReferenceTokenizer& tokenizer);

}  // namespace llm::check
