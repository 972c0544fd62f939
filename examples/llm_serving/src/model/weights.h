// SPDX-License-Identifier: Apache-2.0

// The model file mapped into memory, and where each tensor lies in it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "llm/model_file.h"

namespace llm {

struct ModelConfig {
  int dim = 0;
  int layers = 0;
  int heads = 0;
  int kv_heads = 0;
  int hidden = 0;
  int vocab = 0;
  int max_seq = 0;
  float rope_theta = 0;
  float norm_eps = 0;

  int head_dim() const { return dim / heads; }
  int kv_dim() const { return head_dim() * kv_heads; }
};

struct LayerWeights {
  const float* attention_norm = nullptr;
  const float* wq = nullptr;
  const float* wk = nullptr;
  const float* wv = nullptr;
  const float* wo = nullptr;
  const float* ffn_norm = nullptr;
  const float* w_gate = nullptr;
  const float* w_up = nullptr;
  const float* w_down = nullptr;
};

class Weights {
 public:
  // Throws std::runtime_error where the file cannot be mapped or is not a model of ours.
  explicit Weights(const std::string& path);
  ~Weights();
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

  const ModelConfig& config() const { return config_; }
  const float* embedding() const { return embedding_; }
  const LayerWeights& layer(int index) const { return layers_[index]; }
  const float* final_norm() const { return final_norm_; }
  const float* output() const { return output_; }

 private:
  void locate_tensors(const float* next);

  void* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  ModelConfig config_;
  const float* embedding_ = nullptr;
  std::vector<LayerWeights> layers_;
  const float* final_norm_ = nullptr;
  const float* output_ = nullptr;
};

}  // namespace llm
