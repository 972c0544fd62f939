// SPDX-License-Identifier: Apache-2.0

// Keys and values of every position of every sequence slot.
//
//   slot -> layer -> position -> [kv_head][head_dim]
//
// A slot belongs to one sequence at a time; a new sequence overwrites it from position 0.
#pragma once

#include <cstddef>
#include <vector>

#include "model/weights.h"

namespace llm {

class KvCache {
 public:
  KvCache(const ModelConfig& config, int slots)
      : layers_(config.layers),
        max_seq_(config.max_seq),
        kv_dim_(config.kv_dim()),
        keys_(size(slots)),
        values_(size(slots)) {}

  float* keys(int slot, int layer, int position) { return &keys_[offset(slot, layer, position)]; }
  float* values(int slot, int layer, int position) {
    return &values_[offset(slot, layer, position)];
  }

 private:
  size_t size(int slots) const { return static_cast<size_t>(slots) * layers_ * max_seq_ * kv_dim_; }
  size_t offset(int slot, int layer, int position) const {
    return ((static_cast<size_t>(slot) * layers_ + layer) * max_seq_ + position) * kv_dim_;
  }

  int layers_;
  int max_seq_;
  int kv_dim_;
  std::vector<float> keys_;
  std::vector<float> values_;
};

}  // namespace llm
