// SPDX-License-Identifier: Apache-2.0

#include "model/matmul.h"

#include <cstddef>

namespace llm {

void matmul_rows(float* out, const float* w, const float* x, MatmulShape shape, int row_begin,
                 int row_end) {
  for (int r = row_begin; r < row_end; ++r) {
    const float* w_row = w + static_cast<size_t>(r) * shape.cols;
    for (int t = 0; t < shape.tokens; ++t) {
      const float* x_row = x + static_cast<size_t>(t) * shape.cols;
      float sum = 0.0f;
      for (int i = 0; i < shape.cols; ++i) {
        sum += w_row[i] * x_row[i];
      }
      out[static_cast<size_t>(t) * shape.rows + r] = sum;
    }
  }
}

void matmul(float* out, const float* w, const float* x, MatmulShape shape, ThreadPool& pool) {
  pool.parallel_for(shape.rows,
                    [&](int begin, int end) { matmul_rows(out, w, x, shape, begin, end); });
}

}  // namespace llm
