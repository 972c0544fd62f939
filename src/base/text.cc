// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace arbor::base {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  while (true) {
    const auto end = text.find(separator, start);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  auto lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (auto& line : lines)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return lines;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_-+=:,./";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string_view::npos)
    return std::string(argument);
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string shell_command(std::span<const std::string> argv) {
  std::vector<std::string> quoted;
  quoted.reserve(argv.size());
  for (const auto& argument : argv) quoted.push_back(shell_quoted(argument));
  return join(quoted, " ");
}

std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (const char c : command) {
    if (quote != 0 ? c == quote : c == '\'' || c == '"')
      quote = quote != 0 ? '\0' : c;
    else if (quote == 0 && std::string_view(" \t\n;|&()<>`").contains(c))
      words.emplace_back();
    else
      words.back() += c;
  }
  std::erase(words, "");
  return words;
}

namespace {
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }
}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string first_columns(std::string_view text, std::size_t most) {
  std::size_t columns = 0;
  const auto end =
      std::ranges::find_if(text, [&](char c) { return begins_character(c) && ++columns > most; });
  return {text.begin(), end};
}

std::string elided(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  return first_columns(text, columns - std::min<std::size_t>(columns, 1)) + "…";
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t substituted = diagonal + (word[i - 1] == candidate[j - 1] ? 0U : 1U);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_fraction(std::string_view text) {
  text = trim(text);
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return is_percent ? *value / 100.0 : *value;
}

std::optional<double> parse_duration_s(std::string_view text) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto value = parse_number(text.substr(0, digits));
    if (!value || !std::isfinite(*value)) return std::nullopt;
    text.remove_prefix(digits);
    const auto letters = std::min(text.find_first_of("0123456789."), text.size());
    const auto unit = trim(text.substr(0, letters));
    text.remove_prefix(letters);
    if (unit == "ms")
      total += *value / 1000.0;
    else if (unit == "s" || unit.empty())
      total += *value;
    else if (unit == "m" || unit == "min")
      total += *value * 60.0;
    else if (unit == "h")
      total += *value * 3600.0;
    else if (unit == "d")
      total += *value * 86400.0;
    else
      return std::nullopt;
  }
  return total;
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1000.0);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole % 3600 / 60);
}

namespace {
// Length of the valid UTF-8 sequence at the front of text, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80           ? 1
                             : (lead >> 5) == 0x06 ? 2
                             : (lead >> 4) == 0x0e ? 3
                             : (lead >> 3) == 0x1e ? 4
                                                   : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool is_overlong = (length == 2 && lead < 0xc2) ||
                           (length == 3 && lead == 0xe0 && byte(1) < 0xa0) ||
                           (length == 4 && lead == 0xf0 && byte(1) < 0x90);
  return is_overlong ? 0 : length;
}
}  // namespace

std::string printable(std::string_view untrusted) {
  std::string text;
  text.reserve(untrusted.size());
  while (!untrusted.empty()) {
    const std::size_t length = utf8_length(untrusted);
    const auto first = static_cast<unsigned char>(untrusted[0]);
    const bool is_control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
    const bool is_c1 =
        length == 2 && first == 0xc2 && static_cast<unsigned char>(untrusted[1]) < 0xa0;
    if (length == 0 || is_control || is_c1) {
      text += "\xef\xbf\xbd";
      untrusted.remove_prefix(std::max<std::size_t>(length, 1));
      continue;
    }
    text += untrusted.substr(0, length);
    untrusted.remove_prefix(length);
  }
  return text;
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  const std::size_t half = max_bytes / 2;
  return fmt::format("{}\n… {} bytes left out …\n{}", text.substr(0, half), text.size() - 2 * half,
                     text.substr(text.size() - half));
}

}  // namespace arbor::base
