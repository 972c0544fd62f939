// SPDX-License-Identifier: Apache-2.0

// The forward pass again, in float64 and straight from its definition: whole sequences, no cache,
// no batching. It shares nothing with the server but the format of the model file.
#pragma once

#include <string>
#include <vector>

#include "llm/model_file.h"

namespace llm::check {

class Reference {
 public:
  // Throws std::runtime_error where the file is missing or cut short.
  explicit Reference(const std::string& model_path);

  int vocab() const { return header_.vocab; }
  int max_seq() const { return header_.max_seq; }

  // The logits after each token from index `first` on.
  std::vector<std::vector<double>> logits(const std::vector<int>& tokens, size_t first) const;

 private:
  using Matrix = std::vector<std::vector<double>>;
  struct Layer {
    std::vector<double> attention_norm, ffn_norm;
    Matrix wq, wk, wv, wo, gate, up, down;
  };

  std::vector<double> normed(const std::vector<double>& x, const std::vector<double>& w) const;
  void rotate(std::vector<double>& x, size_t position) const;
  void add_attention(const Layer& layer, Matrix& x) const;
  void add_ffn(const Layer& layer, std::vector<double>& x) const;

  ModelFileHeader header_{};
  Matrix embedding_, output_;
  std::vector<Layer> layers_;
  std::vector<double> final_norm_;
};

}  // namespace llm::check
