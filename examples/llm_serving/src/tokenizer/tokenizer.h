// SPDX-License-Identifier: Apache-2.0

// Byte-pair encoding over bytes. Merges never cross the start of a word (a space begins one).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace llm {

class Tokenizer {
 public:
  // Reads a merges file (see model_file.h). Throws std::runtime_error.
  explicit Tokenizer(const std::string& merges_path);

  std::vector<int> encode(std::string_view text) const;
  const std::string& piece(int token) const { return pieces_[token]; }
  int size() const { return static_cast<int>(pieces_.size()); }

 private:
  void encode_word(std::string_view word, std::vector<int>& out) const;
  int merged(int left, int right) const;

  std::vector<std::string> pieces_;
  std::unordered_map<long, int> merges_;  // the pair of ids as one key, to the token they make
};

}  // namespace llm
