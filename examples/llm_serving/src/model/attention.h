// SPDX-License-Identifier: Apache-2.0

// Scaled dot-product attention of one query head over one sequence's cached positions.
#pragma once

namespace llm {

// Rows of one kv head in the cache: position t lies at keys + t * stride.
struct HeadCache {
  const float* keys = nullptr;
  const float* values = nullptr;
  int stride = 0;
};

// out = softmax(query . keys / sqrt(head_dim)) * values over the first `positions` positions.
void attend_head(float* out, const float* query, HeadCache cache, int head_dim, int positions);

}  // namespace llm
