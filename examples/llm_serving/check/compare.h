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
// Measured in that unit: a float32 forward pass of this model is off by 1e-5 to 2.5e-5, whatever
// the order of its sums, with or without fused multiply-adds; with its weights rounded to float16
// by 1e-2, to bfloat16 by 9e-2. The tolerance leaves the former eight times its error.
inline constexpr double kTolerance = 2e-4;

struct Comparison {
  std::vector<std::string> failures;  // empty: all is well
  double max_error = 0;               // in units of 1 + |reference|
  int tokens = 0;
  int differing = 0;  // tokens that are not the reference's first choice, near ties or wrong
  // The logits up to a prompt's first near tie: there, equally right servers may part.
  std::vector<std::string> stable_logits;
};

Comparison compare(const std::vector<Prompt>& prompts, const std::vector<Reply>& replies,
                   const Reference& reference, const ReferenceTokenizer& tokenizer);

}  // namespace llm::check
