// SPDX-License-Identifier: Apache-2.0
#include "measure/output_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace arbor::measure {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";
constexpr std::string_view kMarks = ",;:()[]{}=%|<>\"'";
constexpr std::size_t kLongestQuote = 60;

std::string quoted(std::string_view text) {
  return "\"" + base::printable(base::shortened(text, kLongestQuote)) + "\"";
}

std::optional<std::string> first_byte_difference(std::string_view golden, std::string_view seen) {
  const auto [at_golden, at_seen] =
      std::mismatch(golden.begin(), golden.end(), seen.begin(), seen.end());
  if (at_golden == golden.end() && at_seen == seen.end()) return std::nullopt;
  const auto offset = static_cast<std::size_t>(at_golden - golden.begin());
  const auto line = 1 + std::count(golden.begin(), at_golden, '\n');
  const auto rest = [offset](std::string_view text) {
    const auto tail = text.substr(offset);
    return tail.empty() ? "the end of the file" : quoted(tail.substr(0, tail.find('\n')));
  };
  return fmt::format("byte {} (line {}) differs: golden {}, seen {}", offset, line, rest(golden),
                     rest(seen));
}

// A count, a number of something or a digest: it has no last place that could be rounded.
bool is_integer(const Piece& piece) {
  const auto digits = piece.text.substr(piece.text.find_first_not_of("+-") == 1 ? 1 : 0);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::string> piece_difference(const Piece& golden, const Piece& seen,
                                            const domain::OutputRule& rule) {
  if (rule.has_exact_integers && is_integer(golden) && golden.text != seen.text)
    return fmt::format("golden {}, seen {}: whole numbers must be equal (exact_integers)",
                       quoted(golden.text), quoted(seen.text));
  if (golden.number && seen.number) {
    if (is_close(*golden.number, *seen.number, rule)) return std::nullopt;
    return fmt::format("golden {}, seen {}, off by {:.3g} where {:.3g} is allowed", golden.text,
                       seen.text, std::abs(*seen.number - *golden.number),
                       rule.atol + rule.rtol * std::abs(*golden.number));
  }
  if (golden.text == seen.text) return std::nullopt;
  return fmt::format("golden {}, seen {}", quoted(golden.text), quoted(seen.text));
}

}  // namespace

std::optional<Piece> PieceReader::next() {
  while (offset_ < text_.size() && kSpace.find(text_[offset_]) != std::string_view::npos)
    if (text_[offset_++] == '\n') ++line_;
  if (offset_ == text_.size()) return std::nullopt;
  std::size_t end = offset_ + 1;
  if (kMarks.find(text_[offset_]) == std::string_view::npos)
    while (end < text_.size() && kSpace.find(text_[end]) == std::string_view::npos &&
           kMarks.find(text_[end]) == std::string_view::npos)
      ++end;
  const std::string_view piece = text_.substr(offset_, end - offset_);
  offset_ = end;
  return Piece{piece, base::parse_number(piece), line_};
}

bool is_close(double golden, double seen, const domain::OutputRule& rule) {
  if (std::isnan(golden) || std::isinf(golden))
    return golden == seen || (std::isnan(golden) && std::isnan(seen));
  const double error = std::abs(seen - golden);
  // A NaN compares false, so it fails: never write this as error > tolerance.
  return error <= rule.atol + rule.rtol * std::abs(golden);
}

std::optional<std::string> first_difference(std::string_view golden, std::string_view seen,
                                            const domain::OutputRule& rule) {
  if (rule.rtol == 0 && rule.atol == 0) return first_byte_difference(golden, seen);
  PieceReader golden_pieces(golden), seen_pieces(seen);
  for (int index = 1;; ++index) {
    const auto expected = golden_pieces.next();
    const auto found = seen_pieces.next();
    if (!expected && !found) return std::nullopt;
    if (!expected)
      return fmt::format("piece {} (line {}) is one too many: {}", index, found->line,
                         quoted(found->text));
    if (!found)
      return fmt::format("it ends before piece {} (golden line {}): {}", index, expected->line,
                         quoted(expected->text));
    if (const auto difference = piece_difference(*expected, *found, rule))
      return fmt::format("piece {} (line {}) differs: {}", index, expected->line, *difference);
  }
}

}  // namespace arbor::measure
