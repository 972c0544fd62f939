// SPDX-License-Identifier: Apache-2.0
#include "workspace/glob.h"

#include <algorithm>

#include "base/text.h"

namespace arbor::workspace {
namespace {

using Parts = std::vector<std::string_view>;

// One element of a component pattern at position i; sets next to what follows it.
bool element_matches(std::string_view pattern, std::size_t i, char c, std::size_t& next) {
  if (pattern[i] == '?') return next = i + 1, true;
  if (pattern[i] == '\\' && i + 1 < pattern.size()) return next = i + 2, pattern[i + 1] == c;
  const auto close = pattern[i] == '[' ? pattern.find(']', i + 2) : std::string_view::npos;
  if (close == std::string_view::npos) return next = i + 1, pattern[i] == c;
  next = close + 1;
  std::size_t at = i + 1;
  const bool is_negated = pattern[at] == '!' || pattern[at] == '^';
  if (is_negated) ++at;
  bool is_in = false;
  for (; at < close; ++at) {
    if (at + 2 < close && pattern[at + 1] == '-') {
      is_in |= pattern[at] <= c && c <= pattern[at + 2];
      at += 2;
    } else {
      is_in |= pattern[at] == c;
    }
  }
  return is_in != is_negated;
}

bool component_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, star_text = 0, next = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && element_matches(pattern, p, text[t], next)) {
      p = next;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// The same with components for characters: `**` is the star.
bool parts_match(const Parts& pattern, const Parts& path) {
  std::size_t p = 0, t = 0, star = pattern.size(), star_path = 0;
  while (t < path.size()) {
    if (p < pattern.size() && pattern[p] == "**") {
      star = p++;
      star_path = t;
    } else if (p < pattern.size() && component_matches(pattern[p], path[t])) {
      ++p;
      ++t;
    } else if (p == pattern.size() && p > 0 && pattern[p - 1] != "**" && star == pattern.size()) {
      return true;  // the glob named a folder above this path
    } else if (star != pattern.size()) {
      if (p == pattern.size()) return true;
      p = star + 1;
      t = ++star_path;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == "**") ++p;
  return p == pattern.size();
}

// A name as the glob that matches just it.
std::string escaped(std::string_view name) {
  std::string glob;
  for (const char c : name) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) glob += '\\';
    glob += c;
  }
  return glob;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  for (const auto part : base::split(text, '/'))
    if (!part.empty() && part != ".") parts.push_back(part);
  return parts;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view path) {
  const Parts pattern = parts_of(glob);
  return !pattern.empty() && parts_match(pattern, parts_of(path));
}

bool any_glob_matches(const std::vector<std::string>& globs, std::string_view path) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_matches(glob, path); });
}

std::string rooted_glob(std::string_view folder, std::string_view glob) {
  std::vector<std::string> parts;
  for (const auto part : parts_of(folder)) parts.push_back(escaped(part));
  for (const auto part : parts_of(glob)) {
    if (part != "..")
      parts.emplace_back(part);
    else if (!parts.empty())
      parts.pop_back();
    else
      return {};
  }
  return base::join(parts, "/");
}

}  // namespace arbor::workspace
