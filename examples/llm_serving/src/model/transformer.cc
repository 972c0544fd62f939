// SPDX-License-Identifier: Apache-2.0

#include "model/transformer.h"

#include <algorithm>
#include <cstddef>

#include "model/attention.h"
#include "model/ffn.h"
#include "model/matmul.h"
#include "model/norm.h"
#include "model/rope.h"

namespace llm {
namespace {

void norm_all(std::vector<float>& out, const std::vector<float>& x, const float* weight,
              const ModelConfig& config) {
  for (size_t at = 0; at < x.size(); at += config.dim) {
    rms_norm(&out[at], &x[at], weight, config.dim, config.norm_eps);
  }
}

void add(std::vector<float>& x, const std::vector<float>& delta) {
  for (size_t i = 0; i < x.size(); ++i) x[i] += delta[i];
}

}  // namespace

Transformer::Transformer(const Weights& weights, int slots, ThreadPool& pool)
    : weights_(weights), cache_(weights.config(), slots), pool_(pool) {}

std::vector<float> Transformer::forward(const std::vector<StepToken>& step) {
  const int dim = config().dim;
  std::vector<float> x(step.size() * dim);
  for (size_t t = 0; t < step.size(); ++t) {
    const float* row = weights_.embedding() + static_cast<size_t>(step[t].token) * dim;
    std::copy(row, row + dim, &x[t * dim]);
  }
  for (int layer = 0; layer < config().layers; ++layer) run_layer(layer, step, x);
  return logits(step, x);
}

void Transformer::run_layer(int index, const std::vector<StepToken>& step, std::vector<float>& x) {
  const ModelConfig& c = config();
  const LayerWeights& layer = weights_.layer(index);
  const int tokens = static_cast<int>(step.size());
  const int kv_dim = c.kv_dim();

  std::vector<float> normed(x.size());
  std::vector<float> q(x.size());
  std::vector<float> k(step.size() * kv_dim);
  std::vector<float> v(step.size() * kv_dim);
  norm_all(normed, x, layer.attention_norm, c);
  matmul(q.data(), layer.wq, normed.data(), {c.dim, c.dim, tokens}, pool_);
  matmul(k.data(), layer.wk, normed.data(), {kv_dim, c.dim, tokens}, pool_);
  matmul(v.data(), layer.wv, normed.data(), {kv_dim, c.dim, tokens}, pool_);
  for (int t = 0; t < tokens; ++t) {
    const auto [slot, position, token, wants_logits] = step[t];
    float* k_row = &k[static_cast<size_t>(t) * kv_dim];
    const float* v_row = &v[static_cast<size_t>(t) * kv_dim];
    rope(&q[static_cast<size_t>(t) * c.dim], c.heads, c.head_dim(), position, c.rope_theta);
    rope(k_row, c.kv_heads, c.head_dim(), position, c.rope_theta);
    std::copy(k_row, k_row + kv_dim, cache_.keys(slot, index, position));
    std::copy(v_row, v_row + kv_dim, cache_.values(slot, index, position));
  }

  std::vector<float> attended(x.size());
  std::vector<float> delta(x.size());
  attend(index, step, q.data(), attended.data());
  matmul(delta.data(), layer.wo, attended.data(), {c.dim, c.dim, tokens}, pool_);
  add(x, delta);

  norm_all(normed, x, layer.ffn_norm, c);
  feed_forward(delta.data(), normed.data(), tokens, layer, c, pool_);
  add(x, delta);
}

void Transformer::attend(int layer, const std::vector<StepToken>& step, const float* q,
                         float* out) {
  const ModelConfig& c = config();
  const int head_dim = c.head_dim();
  const int queries_per_kv_head = c.heads / c.kv_heads;
  pool_.parallel_for(static_cast<int>(step.size()) * c.heads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const StepToken& token = step[i / c.heads];
      const int kv_offset = i % c.heads / queries_per_kv_head * head_dim;
      const HeadCache cache = {cache_.keys(token.slot, layer, 0) + kv_offset,
                               cache_.values(token.slot, layer, 0) + kv_offset, c.kv_dim()};
      const size_t at = static_cast<size_t>(i) * head_dim;
      attend_head(out + at, q + at, cache, head_dim, token.position + 1);
    }
  });
}

std::vector<float> Transformer::logits(const std::vector<StepToken>& step,
                                       const std::vector<float>& x) {
  const ModelConfig& c = config();
  std::vector<float> wanted;
  for (size_t t = 0; t < step.size(); ++t) {
    if (!step[t].wants_logits) continue;
    wanted.insert(wanted.end(), &x[t * c.dim], &x[t * c.dim] + c.dim);
  }
  const int rows = static_cast<int>(wanted.size()) / c.dim;
  std::vector<float> normed(wanted.size());
  norm_all(normed, wanted, weights_.final_norm(), c);
  std::vector<float> out(static_cast<size_t>(rows) * c.vocab);
  matmul(out.data(), weights_.output(), normed.data(), {c.vocab, c.dim, rows}, pool_);
  return out;
}

}  // namespace llm
