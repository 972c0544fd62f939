// SPDX-License-Identifier: Apache-2.0

// The model file: this header, then float32 tensors in this order, row-major, without padding.
//
//   embedding [vocab][dim]
//   per layer: attention_norm [dim], wq [dim][dim], wk [kv_dim][dim], wv [kv_dim][dim],
//              wo [dim][dim], ffn_norm [dim], w_gate [hidden][dim], w_up [hidden][dim],
//              w_down [dim][hidden]
//   final_norm [dim], output [vocab][dim]
//
// kv_dim = dim / heads * kv_heads. The tokenizer's merges stand beside it in MODEL.merges, one a
// line: "left right" are token ids, and line n (from 0) makes token 256 + n. Tokens 0-255 are the
// bytes.
#pragma once

#include <cstdint>

namespace llm {

inline constexpr char kModelMagic[8] = {'L', 'L', 'M', 'D', 'E', 'N', 'S', '1'};

struct ModelFileHeader {
  char magic[8];
  int32_t dim;
  int32_t layers;
  int32_t heads;
  int32_t kv_heads;
  int32_t hidden;
  int32_t vocab;
  int32_t max_seq;
  float rope_theta;
  float norm_eps;
  int32_t reserved[5];
};
static_assert(sizeof(ModelFileHeader) == 64);

}  // namespace llm
