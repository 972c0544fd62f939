// SPDX-License-Identifier: Apache-2.0

// Chooses the next token from its logits.
#pragma once

namespace llm {

struct Choice {
  int token = 0;
  float logprob = 0;
};

// The most likely token, the lowest id among equals, and its log-probability.
Choice sample_greedy(const float* logits, int vocab);

}  // namespace llm
