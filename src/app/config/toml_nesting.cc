// SPDX-License-Identifier: Apache-2.0
#include "app/config/toml_nesting.h"

#include <algorithm>
#include <vector>

namespace arbor::app {
namespace {

// Where the string that begins at `at` is over. One on a single line ends with it at the latest.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const auto is_quote = [&](std::size_t i) { return i < text.size() && text[i] == quote; };
  const bool is_multi_line = is_quote(at + 1) && is_quote(at + 2);
  at += is_multi_line ? 3 : 1;
  for (; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (!is_multi_line && (text[at] == '\n' || text[at] == quote)) {
      return text[at] == '\n' ? at : at + 1;
    } else if (is_multi_line && is_quote(at) && is_quote(at + 1) && is_quote(at + 2)) {
      at += 3;
      for (int more = 0; more < 2 && is_quote(at); ++more) ++at;  // quotes before the closing ones
      return at;
    }
  }
  return text.size();
}

// Depth at one place of the text.
class Depth {
 public:
  void open() {
    before_.push_back(total_);
    ++total_;
    key_ = 0;
  }
  void close() {
    if (before_.empty()) return;
    total_ = before_.back();
    before_.pop_back();
    key_ = 0;
  }
  void dot() {
    ++key_;
    ++total_;
  }
  void next_key() {
    total_ -= key_;
    key_ = 0;
  }
  int total() const { return total_; }

 private:
  std::vector<int> before_;
  int key_ = 0;  // dots of the key we are in
  int total_ = 0;
};

}  // namespace

std::optional<int> line_nested_too_deep(std::string_view toml) {
  Depth depth;
  for (std::size_t at = 0; at < toml.size() && depth.total() <= kMaxTomlDepth; ++at) {
    const char c = toml[at];
    if (c == '"' || c == '\'') {
      at = behind_string(toml, at) - 1;
    } else if (c == '#') {
      at = std::min(toml.find('\n', at), toml.size()) - 1;
    } else if (c == '[' || c == '{') {
      depth.open();
    } else if (c == ']' || c == '}') {
      depth.close();
    } else if (c == '.') {
      depth.dot();
    } else if (c == ',' || c == '\n') {
      depth.next_key();
    }
    if (depth.total() > kMaxTomlDepth)
      return 1 + static_cast<int>(std::ranges::count(toml.substr(0, at), '\n'));
  }
  return std::nullopt;
}

}  // namespace arbor::app
