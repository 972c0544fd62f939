// SPDX-License-Identifier: Apache-2.0

#include "model/norm.h"

#include <cmath>

namespace llm {

void rms_norm(float* out, const float* x, const float* weight, int size, float eps) {
  float sum = 0.0f;
  for (int i = 0; i < size; ++i) {
    sum += x[i] * x[i];
  }
  const float scale = 1.0f / std::sqrt(sum / static_cast<float>(size) + eps);
  for (int i = 0; i < size; ++i) {
    out[i] = weight[i] * (x[i] * scale);
  }
}

}  // namespace llm
