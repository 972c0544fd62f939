// SPDX-License-Identifier: Apache-2.0
#include "agents/specialists/patch_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

constexpr int kContext = 3;

class DiffWriter {
 public:
  explicit DiffWriter(std::string_view source) : lines_(base::split(source, '\n')) {
    has_last_end_ = lines_.back().empty();
    if (has_last_end_) lines_.pop_back();
  }

  int size() const { return static_cast<int>(lines_.size()); }

  // A line without an end cannot be followed by another: the edit replaces it too.
  void close_last_line(LineEdit& edit) const {
    if (has_last_end_ || lines_.empty() || edit.line != size() + 1) return;
    edit.line = size();
    edit.removed = 1;
    edit.inserted.insert(edit.inserted.begin(), std::string(lines_.back()));
  }

  std::string hunk(const std::vector<LineEdit>& edits, int lines_added_before) const {
    const int first = std::max(1, edits.front().line - kContext);
    const auto& last_edit = edits.back();
    const int last = std::min(size(), last_edit.line + last_edit.removed - 1 + kContext);
    int added = 0;
    std::string body;
    int at = first;
    for (const auto& edit : edits) {
      for (; at < edit.line; ++at) body += old_line(' ', at);
      for (int i = 0; i < edit.removed; ++i, ++at) body += old_line('-', at);
      for (const auto& line : edit.inserted) body += "+" + line + "\n";
      added += static_cast<int>(edit.inserted.size()) - edit.removed;
    }
    for (; at <= last; ++at) body += old_line(' ', at);
    const int old_count = last - first + 1;
    const int new_count = old_count + added;
    return fmt::format("@@ -{},{} +{},{} @@\n{}", old_count == 0 ? 0 : first, old_count,
                       new_count == 0 ? 0 : first + lines_added_before, new_count, body);
  }

 private:
  std::string old_line(char mark, int line) const {
    auto text = mark + std::string(lines_[static_cast<std::size_t>(line - 1)]) + "\n";
    if (line == size() && !has_last_end_) text += "\\ No newline at end of file\n";
    return text;
  }

  std::vector<std::string_view> lines_;
  bool has_last_end_ = true;
};

int end_of(const LineEdit& edit) { return edit.line + edit.removed; }

}  // namespace

std::string unified_diff(const std::string& path, std::string_view source,
                         std::vector<LineEdit> edits) {
  const DiffWriter writer(source);
  std::ranges::sort(edits, {}, &LineEdit::line);
  for (auto& edit : edits) {
    ARBOR_CHECK(edit.line >= 1 && end_of(edit) <= writer.size() + 1, "an edit outside " + path);
    writer.close_last_line(edit);
  }
  auto diff = fmt::format("--- a/{0}\n+++ b/{0}\n", path);
  int added = 0;
  std::vector<LineEdit> together;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    together.push_back(edits[i]);
    const bool is_last = i + 1 == edits.size();
    if (!is_last) {
      ARBOR_CHECK(edits[i + 1].line >= end_of(edits[i]), "edits of " + path + " overlap");
      if (edits[i + 1].line - end_of(edits[i]) <= 2 * kContext) continue;
    }
    diff += writer.hunk(together, added);
    for (const auto& edit : together)
      added += static_cast<int>(edit.inserted.size()) - edit.removed;
    together.clear();
  }
  return diff;
}

std::string_view indentation(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

}  // namespace arbor::agents
