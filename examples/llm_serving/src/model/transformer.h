// SPDX-License-Identifier: Apache-2.0

// The forward pass of a decoder-only transformer over one step's tokens.
#pragma once

#include <vector>

#include "model/kv_cache.h"
#include "model/weights.h"
#include "runtime/thread_pool.h"

namespace llm {

// One token to run. A step may mix sequences, and may hold several tokens of one, in order.
struct StepToken {
  int slot = 0;
  int position = 0;
  int token = 0;
  bool wants_logits = false;
};

class Transformer {
 public:
  Transformer(const Weights& weights, int slots, ThreadPool& pool);

  const ModelConfig& config() const { return weights_.config(); }

  // Returns [n][vocab] logits, a row for each token that wants them, in the order of the step.
  std::vector<float> forward(const std::vector<StepToken>& step);

 private:
  void run_layer(int index, const std::vector<StepToken>& step, std::vector<float>& x);
  void attend(int layer, const std::vector<StepToken>& step, const float* q, float* out);
  std::vector<float> logits(const std::vector<StepToken>& step, const std::vector<float>& x);

  const Weights& weights_;
  KvCache cache_;
  ThreadPool& pool_;
};

}  // namespace llm
