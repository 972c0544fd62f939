// SPDX-License-Identifier: Apache-2.0
#include "search/target.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace arbor::search {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Cuts "<…>" and "(…)" with everything nested in them; an unbalanced text is left as it is.
std::string without_brackets(std::string_view symbol) {
  std::string kept;
  int depth = 0;
  for (std::size_t i = 0; i < symbol.size(); ++i) {
    const char c = symbol[i];
    if (c == '>' && i > 0 && symbol[i - 1] == '-') continue;
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (depth == 0) kept += c;
    if ((c == '>' || c == ')' || c == ']') && depth > 0) --depth;
  }
  return kept;
}

bool is_file(std::string_view target) {
  if (target.contains('(')) return false;
  if (target.contains('/')) return true;
  constexpr std::array kExtensions = {".c",   ".cc", ".cpp", ".cxx", ".h",  ".hh",
                                      ".hpp", ".cu", ".f90", ".rs",  ".go", ".py"};
  return std::ranges::any_of(kExtensions, [&](const char* end) { return target.ends_with(end); });
}

std::string_view without_line(std::string_view target) {
  const auto colon = target.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == target.size()) return target;
  const auto digits = target.substr(colon + 1);
  const bool is_line = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return is_line ? target.substr(0, colon) : target;
}

// "knob:batch", "env:OMP_NUM_THREADS": a single colon after a lower-case word.
bool is_setting(std::string_view target) {
  const auto colon = target.find(':');
  return colon != std::string_view::npos && !target.substr(colon).starts_with("::") &&
         !target.contains('(');
}

bool ends_function(std::string_view rest) {
  if (rest.empty()) return true;
  return std::string_view("(<.[@ ").contains(rest.front()) || rest.starts_with("::{");
}

}  // namespace

std::string function_name(std::string_view symbol) {
  std::string text(symbol);
  if (const auto lambda = text.find("::{"); lambda != std::string::npos) text.resize(lambda);
  if (text.contains("operator")) return text.substr(text.find("operator"));
  text = std::string(base::trim(without_brackets(text)));
  if (text.ends_with(" const")) text.resize(text.size() - 6);
  const auto space = text.find_last_of(" *&");
  if (space != std::string::npos) text.erase(0, space + 1);
  if (const auto scope = text.rfind("::"); scope != std::string::npos) text.erase(0, scope + 2);
  if (const auto dot = text.find('.'); dot != std::string::npos && dot > 0) text.resize(dot);
  return text;
}

bool is_within(std::string_view symbol, std::string_view name) {
  if (name.empty()) return false;
  for (auto at = symbol.find(name); at != std::string_view::npos; at = symbol.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word(symbol[at - 1]);
    if (starts && ends_function(symbol.substr(at + name.size()))) return true;
  }
  return false;
}

std::optional<double> share_of_target(const domain::Profile& profile, std::string_view target) {
  if (target.empty()) return std::nullopt;
  double share = 0;
  const auto file = without_line(target);
  if (is_file(file)) {
    for (const auto& spot : profile.hotspots)
      if (spot.file == file) share += spot.share;
    return std::min(share, 1.0);
  }
  if (is_setting(target)) return std::nullopt;
  const auto name = function_name(target);
  for (const auto& spot : profile.hotspots)
    if (spot.symbol == target || is_within(spot.symbol, name)) share += spot.share;
  return std::min(share, 1.0);
}

}  // namespace arbor::search
