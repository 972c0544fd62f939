// SPDX-License-Identifier: Apache-2.0

// The tokenizer again, from its definition: each merge in turn, over the whole word.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace llm::check {

class ReferenceTokenizer {
 public:
  // Throws std::runtime_error where the merges cannot be read.
  explicit ReferenceTokenizer(const std::string& merges_path);

  std::vector<int> encode(const std::string& text) const;
  std::string text(int token) const;

 private:
  std::vector<std::pair<int, int>> merges_;
};

}  // namespace llm::check
