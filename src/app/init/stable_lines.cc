// SPDX-License-Identifier: Apache-2.0
#include "app/init/stable_lines.h"

#include <algorithm>
#include <cctype>

#include "base/pattern.h"
#include "base/text.h"
#include "measure/output_comparison.h"

namespace arbor::app {
namespace {

constexpr std::size_t kMostExpressions = 12;  // more of them: nothing much is the same
constexpr std::size_t kFewestLetters = 3;     // of a line that can be told from the others
constexpr std::size_t kLongestExpression = 90;
constexpr std::size_t kMostTextBytes = 256U << 10;

bool is_text(std::string_view output) {
  return output.size() <= kMostTextBytes && base::printable(output) == output;
}

// Times, rates and what else belongs to a run and not to its result. Words like "time" alone do
// not: a time step is a result.
bool tells_of_the_run(const std::string& line) {
  static const base::Pattern kWords(
      R"((\b(m|u|n)?sec(ond)?s?\b|\b[0-9.]+ ?(ms|us|ns|s)\b|\belapsed\b|\bruntime\b)"
      R"(|\b(wall|cpu|run|total|user|system|real)[ _-]?(clock)?[ _-]?time\b|/ ?s(ec)?\b|per sec)"
      R"(|\b[kmgt]?flops?\b|\bmops?\b|throughput|bandwidth|\bdate\b|\bthreads?\b))",
      base::Pattern::Case::kIgnored);
  return line.find_first_of("0123456789") != std::string::npos && line.size() < 2000 &&
         kWords.is_in(line);
}

bool is_number_part(char c) { return c != '\0' && std::string_view("0123456789.,").contains(c); }

// Where a number ends that has begun before at; its exponent belongs to it.
std::size_t number_end(std::string_view line, std::size_t at) {
  const auto is_digit = [&](std::size_t i) {
    return i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0;
  };
  while (at < line.size() && is_number_part(line[at])) ++at;
  if (at >= line.size() || (line[at] != 'e' && line[at] != 'E')) return at;
  const bool is_signed = at + 1 < line.size() && (line[at + 1] == '-' || line[at + 1] == '+');
  std::size_t digits = at + (is_signed ? 2 : 1);
  if (!is_digit(digits)) return at;
  while (is_digit(digits)) ++digits;
  return digits;
}

// A character that stands for itself in an extended expression, without any backslash.
std::string escaped(char c) {
  if (c == '^' || c == '\\') return ".";
  if (std::string_view(".[*+?(){}|$").contains(c)) return std::string("[") + c + "]";
  return {c};
}

// "Time in seconds =", which is all that has to be the same; 0 where no mark ends the label.
std::size_t label_end(std::string_view line) {
  const std::size_t digit = line.find_first_of("0123456789");
  const std::size_t mark = line.substr(0, digit).find_last_of("=:");
  return mark == std::string_view::npos ? 0 : mark + 1;
}

// The line's label, where it has one. Else the line with any number where it has one, and anything
// from where two runs differ in words.
std::string shape_of(std::string_view line, std::size_t same_words) {
  std::string shape = "^";
  for (std::size_t i = 0; i < line.size();) {
    if (shape.size() > kLongestExpression || i >= same_words) return shape;
    const bool is_digit = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
    std::size_t end = i + 1;
    if (is_digit) {
      end = number_end(line, end);
      shape += "[-+0-9.,eE]+";
    } else if (line[i] == ' ' || line[i] == '\t') {
      while (end < line.size() && (line[end] == ' ' || line[end] == '\t')) ++end;
      shape += line.substr(i, end - i).contains('\t') ? "[[:space:]]*" : " *";
    } else {
      shape += escaped(line[i]);
    }
    i = end;
  }
  return shape + "$";
}

// How far two lines agree, numbers aside.
std::size_t same_words(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  const auto skip = [](std::string_view text, std::size_t& at) {
    while (at < text.size() && (is_number_part(text[at]) || text[at] == ' ')) ++at;
  };
  while (true) {
    skip(a, i);
    skip(b, j);
    if (i == a.size() && j == b.size()) return a.size();
    if (i == a.size() || j == b.size() || a[i] != b[j]) return i;
    ++i;
    ++j;
  }
}

bool has_letters(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(
             line, [](unsigned char c) { return std::isalpha(c) != 0; })) >= kFewestLetters;
}

bool is_same(std::string_view a, std::string_view b) {
  return !measure::first_difference(a, b, {"-", kGuessedRtol, 0});
}

}  // namespace

StableLines stable_lines(std::string_view first, std::string_view second) {
  StableLines stable;
  stable.is_text = is_text(first) && is_text(second);
  if (!stable.is_text) {
    stable.is_stable = first == second && !first.empty();
    return stable;
  }
  const auto lines = base::lines_of(first);
  const auto again = base::lines_of(second);
  if (lines.size() != again.size()) return stable;
  bool is_anything_left = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_equal = is_same(lines[i], again[i]);
    if (is_equal && !tells_of_the_run(std::string(lines[i]))) {
      is_anything_left |= !base::trim(lines[i]).empty();
      continue;
    }
    if (!has_letters(lines[i])) return stable;  // a result, and not the same twice
    std::size_t same = same_words(lines[i], again[i]);
    const std::size_t label = label_end(lines[i]);
    if (label > 0 && has_letters(lines[i].substr(0, label))) same = std::min(same, label);
    const std::string shape = shape_of(lines[i], same);
    if (std::ranges::find(stable.dropped, shape) != stable.dropped.end()) continue;
    stable.dropped.push_back(shape);
    stable.examples.emplace_back(base::trim(lines[i]));
  }
  stable.is_stable = is_anything_left && stable.dropped.size() <= kMostExpressions;
  return stable;
}

bool differs_beyond_chance(std::string_view first, std::string_view second,
                           std::string_view third) {
  if (!is_text(first) || !is_text(second) || !is_text(third))
    return first == second && third != first;
  const auto a = base::lines_of(first), b = base::lines_of(second), c = base::lines_of(third);
  if (a.size() != b.size()) return false;
  if (a.size() != c.size()) return true;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] == b[i] && a[i] != c[i] && !tells_of_the_run(std::string(a[i]))) return true;
  return false;
}

}  // namespace arbor::app
