// SPDX-License-Identifier: Apache-2.0

// Dense matrix times the activations of several tokens.
#pragma once

#include "runtime/thread_pool.h"

namespace llm {

struct MatmulShape {
  int rows = 0;  // outputs per token
  int cols = 0;  // inputs per token
  int tokens = 0;
};

// out[t][r] = sum over c of w[r][c] * x[t][c]. The rows are shared out among the pool's threads.
void matmul(float* out, const float* w, const float* x, MatmulShape shape, ThreadPool& pool);

// The part of matmul() for the rows in [row_begin, row_end).
void matmul_rows(float* out, const float* w, const float* x, MatmulShape shape, int row_begin,
                 int row_end);

}  // namespace llm
