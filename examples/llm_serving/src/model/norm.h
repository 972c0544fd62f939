// SPDX-License-Identifier: Apache-2.0

// Root-mean-square normalisation (Zhang, Sennrich 2019).
#pragma once

namespace llm {

// out[i] = weight[i] * x[i] / sqrt(mean(x^2) + eps)
void rms_norm(float* out, const float* x, const float* weight, int size, float eps);

}  // namespace llm
