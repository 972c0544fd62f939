// SPDX-License-Identifier: Apache-2.0
#include "measure/output_mutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "measure/output_comparison.h"

namespace arbor::measure {
namespace {

std::vector<double> numbers_of(std::string_view text) {
  std::vector<double> numbers;
  PieceReader pieces(text);
  while (const auto piece = pieces.next())
    if (piece->number) numbers.push_back(*piece->number);
  return numbers;
}

// The text with its i-th number replaced by replace(i, number); all else stays as it was.
std::string with_numbers(std::string_view text,
                         const std::function<double(std::size_t, double)>& replace) {
  std::string changed;
  std::size_t copied = 0, i = 0;
  PieceReader pieces(text);
  while (const auto piece = pieces.next()) {
    if (!piece->number) continue;
    const std::size_t start = pieces.offset() - piece->text.size();
    changed += text.substr(copied, start - copied);
    changed += fmt::format("{}", replace(i++, *piece->number));
    copied = pieces.offset();
  }
  return changed += text.substr(copied);
}

double finite_mean(const std::vector<double>& numbers) {
  double sum = 0, count = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) sum += number, ++count;
  return count > 0 ? sum / count : 0;
}

void add_numeric(std::string_view golden, const domain::OutputRule& rule,
                 std::vector<Mutation>& all) {
  const auto numbers = numbers_of(golden);
  if (numbers.empty()) return;
  all.push_back({"zeros", with_numbers(golden, [](std::size_t, double) { return 0.0; })});
  all.push_back({"nan", with_numbers(golden, [](std::size_t, double) { return std::nan(""); })});
  all.push_back({"shifted", with_numbers(golden, [&](std::size_t, double number) {
                   const double tolerance = rule.atol + rule.rtol * std::abs(number);
                   return number + 2 * std::copysign(tolerance, number);
                 })});
  if (numbers.size() < 2) return;
  const double center = finite_mean(numbers);
  all.push_back({"mean", with_numbers(golden, [&](std::size_t, double) { return center; })});
  if (std::all_of(numbers.begin(), numbers.end(), [&](double n) { return n == numbers[0]; }))
    return;
  all.push_back({"permuted", with_numbers(golden, [&](std::size_t i, double) {
                   return numbers[(i + 1) % numbers.size()];
                 })});
}

// Half of the pieces, rounded down, so that at least one is missing.
std::string first_half(std::string_view text) {
  std::size_t count = 0;
  for (PieceReader pieces(text); pieces.next();) ++count;
  PieceReader pieces(text);
  for (std::size_t i = 0; i < count / 2; ++i) pieces.next();
  return std::string(text.substr(0, pieces.offset()));
}

}  // namespace

std::vector<Mutation> mutations_of(std::string_view golden, const domain::OutputRule& rule,
                                   std::span<const std::string> inputs) {
  std::vector<Mutation> all;
  const bool is_exact = rule.rtol == 0 && rule.atol == 0;
  add_numeric(golden, rule, all);
  // Compared byte by byte, "shifted" by a tolerance of nothing is the golden itself.
  if (is_exact) std::erase_if(all, [](const Mutation& m) { return m.name == "shifted"; });
  all.push_back({"truncated", first_half(golden)});
  all.push_back({"empty", ""});
  for (const auto& input : inputs)
    if (input != golden) all.push_back({"input", input});
  return all;
}

std::vector<std::string> mutations_let_through(std::string_view golden,
                                               const domain::OutputRule& rule,
                                               std::span<const std::string> inputs) {
  std::vector<std::string> names;
  for (const auto& mutation : mutations_of(golden, rule, inputs))
    if (!first_difference(golden, mutation.text, rule)) names.push_back(mutation.name);
  return names;
}

}  // namespace arbor::measure
