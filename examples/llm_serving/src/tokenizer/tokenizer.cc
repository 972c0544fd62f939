// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/tokenizer.h"

#include <fstream>
#include <stdexcept>

namespace llm {
namespace {

long pair_key(int left, int right) { return static_cast<long>(left) << 32 | right; }

}  // namespace

Tokenizer::Tokenizer(const std::string& merges_path) {
  std::ifstream in(merges_path);
  if (!in) throw std::runtime_error("cannot read merges " + merges_path);
  for (int byte = 0; byte < 256; ++byte) pieces_.emplace_back(1, static_cast<char>(byte));
  int left = 0;
  int right = 0;
  while (in >> left >> right) {
    if (left < 0 || right < 0 || left >= size() || right >= size()) {
      throw std::runtime_error("a merge uses an unknown token: " + merges_path);
    }
    merges_.emplace(pair_key(left, right), size());
    pieces_.push_back(pieces_[left] + pieces_[right]);
  }
}

std::vector<int> Tokenizer::encode(std::string_view text) const {
  std::vector<int> tokens;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find(' ', begin + 1);
    if (end == std::string_view::npos) end = text.size();
    encode_word(text.substr(begin, end - begin), tokens);
    begin = end;
  }
  return tokens;
}

int Tokenizer::merged(int left, int right) const {
  const auto found = merges_.find(pair_key(left, right));
  return found == merges_.end() ? -1 : found->second;
}

// Joins the pair of the earliest merge until none is left; a lower token is an earlier merge.
void Tokenizer::encode_word(std::string_view word, std::vector<int>& out) const {
  std::vector<int> parts;
  for (const char c : word) parts.push_back(static_cast<unsigned char>(c));
  while (true) {
    int best = -1;
    size_t at = 0;
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const int token = merged(parts[i], parts[i + 1]);
      if (token >= 0 && (best < 0 || token < best)) {
        best = token;
        at = i;
      }
    }
    if (best < 0) break;
    parts[at] = best;
    parts.erase(parts.begin() + static_cast<long>(at) + 1);
  }
  out.insert(out.end(), parts.begin(), parts.end());
}

}  // namespace llm
