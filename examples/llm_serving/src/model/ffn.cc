// SPDX-License-Identifier: Apache-2.0

#include "model/ffn.h"

#include <cmath>
#include <vector>

#include "model/matmul.h"

namespace llm {
namespace {

void swiglu(float* gate, const float* up, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float silu = gate[i] / (1.0f + std::exp(-gate[i]));
    gate[i] = silu * up[i];
  }
}

}  // namespace

void feed_forward(float* out, const float* x, int tokens, const LayerWeights& layer,
                  const ModelConfig& config, ThreadPool& pool) {
  std::vector<float> gate(static_cast<size_t>(tokens) * config.hidden);
  std::vector<float> up(static_cast<size_t>(tokens) * config.hidden);
  matmul(gate.data(), layer.w_gate, x, {config.hidden, config.dim, tokens}, pool);
  matmul(up.data(), layer.w_up, x, {config.hidden, config.dim, tokens}, pool);
  swiglu(gate.data(), up.data(), gate.size());
  matmul(out, layer.w_down, gate.data(), {config.dim, config.hidden, tokens}, pool);
}

}  // namespace llm
