// SPDX-License-Identifier: Apache-2.0

// Rotary position embedding (Su et al. 2021), neighbouring elements as pairs.
#pragma once

namespace llm {

// Rotates each head of x in place: pair i of a head turns by position * theta^(-2i / head_dim).
void rope(float* x, int heads, int head_dim, int position, float theta);

}  // namespace llm
