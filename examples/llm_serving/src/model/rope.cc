// SPDX-License-Identifier: Apache-2.0

#include "model/rope.h"

#include <cmath>

namespace llm {

void rope(float* x, int heads, int head_dim, int position, float theta) {
  for (int head = 0; head < heads; ++head) {
    float* pair = x + head * head_dim;
    for (int i = 0; i < head_dim; i += 2) {
      const float exponent = static_cast<float>(i) / static_cast<float>(head_dim);
      const float angle = static_cast<float>(position) * std::pow(theta, -exponent);
      const float c = std::cos(angle);
      const float s = std::sin(angle);
      const float a = pair[i];
      const float b = pair[i + 1];
      pair[i] = a * c - b * s;
      pair[i + 1] = a * s + b * c;
    }
  }
}

}  // namespace llm
