// SPDX-License-Identifier: Apache-2.0

#include "model/attention.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace llm {
namespace {

void softmax(float* x, int size) {
  float max = x[0];
  for (int i = 1; i < size; ++i) {
    if (x[i] > max) max = x[i];
  }
  float sum = 0.0f;
  for (int i = 0; i < size; ++i) {
    x[i] = std::exp(x[i] - max);
    sum += x[i];
  }
  for (int i = 0; i < size; ++i) {
    x[i] /= sum;
  }
}

}  // namespace

void attend_head(float* out, const float* query, HeadCache cache, int head_dim, int positions) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  std::vector<float> weights(positions);
  for (int t = 0; t < positions; ++t) {
    const float* key = cache.keys + static_cast<size_t>(t) * cache.stride;
    float sum = 0.0f;
    for (int i = 0; i < head_dim; ++i) {
      sum += query[i] * key[i];
    }
    weights[t] = sum * scale;
  }

  softmax(weights.data(), positions);

  for (int i = 0; i < head_dim; ++i) {
    out[i] = 0.0f;
  }
  for (int t = 0; t < positions; ++t) {
    const float* value = cache.values + static_cast<size_t>(t) * cache.stride;
    const float weight = weights[t];
    for (int i = 0; i < head_dim; ++i) {
      out[i] += weight * value[i];
    }
  }
}

}  // namespace llm
