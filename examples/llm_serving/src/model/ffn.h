// SPDX-License-Identifier: Apache-2.0

// The feed-forward block of a layer, SwiGLU (Shazeer 2020).
#pragma once

#include "model/weights.h"
#include "runtime/thread_pool.h"

namespace llm {

// out[t] = w_down * (silu(w_gate * x[t]) * (w_up * x[t])), for each of the tokens.
void feed_forward(float* out, const float* x, int tokens, const LayerWeights& layer,
                  const ModelConfig& config, ThreadPool& pool);

}  // namespace llm
