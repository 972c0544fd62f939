// SPDX-License-Identifier: Apache-2.0

#include "model/sampler.h"

#include <cmath>

namespace llm {

Choice sample_greedy(const float* logits, int vocab) {
  int best = 0;
  for (int i = 1; i < vocab; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  float sum = 0.0f;
  for (int i = 0; i < vocab; ++i) {
    sum += std::exp(logits[i] - logits[best]);
  }
  return {best, -std::log(sum)};
}

}  // namespace llm
