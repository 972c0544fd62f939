// SPDX-License-Identifier: Apache-2.0

#include "reference_tokenizer.h"

#include <fstream>
#include <stdexcept>

namespace llm::check {

ReferenceTokenizer::ReferenceTokenizer(const std::string& merges_path) {
  std::ifstream in(merges_path);
  std::pair<int, int> merge;
  while (in >> merge.first >> merge.second) merges_.push_back(merge);
  if (merges_.empty()) throw std::runtime_error("cannot read merges " + merges_path);
}

std::vector<int> ReferenceTokenizer::encode(const std::string& text) const {
  // -1 stands between two words, so that no merge joins them.
  std::vector<int> tokens;
  for (const char c : text) {
    if (c == ' ' && !tokens.empty()) tokens.push_back(-1);
    tokens.push_back(static_cast<unsigned char>(c));
  }
  for (size_t m = 0; m < merges_.size(); ++m) {
    std::vector<int> next;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const bool joins = i + 1 < tokens.size() && tokens[i] == merges_[m].first &&
                         tokens[i + 1] == merges_[m].second;
      next.push_back(joins ? 256 + static_cast<int>(m) : tokens[i]);
      if (joins) ++i;
    }
    tokens = std::move(next);
  }
  std::erase(tokens, -1);
  return tokens;
}

std::string ReferenceTokenizer::text(int token) const {
  if (token < 256) return std::string(1, static_cast<char>(token));
  const auto [left, right] = merges_.at(static_cast<size_t>(token) - 256);
  return text(left) + text(right);
}

}  // namespace llm::check
