// SPDX-License-Identifier: Apache-2.0
#include "app/config/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace arbor::app {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};
constexpr double kKi = 1024.0;
constexpr std::array<Unit, 9> kSizes = {{{"TiB", kKi* kKi* kKi* kKi},
                                         {"GiB", kKi* kKi* kKi},
                                         {"MiB", kKi* kKi},
                                         {"KiB", kKi},
                                         {"TB", 1e12},
                                         {"GB", 1e9},
                                         {"MB", 1e6},
                                         {"kB", 1e3},
                                         {"B", 1}}};
constexpr std::array<Unit, 4> kDurations = {{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}}};

// The number in the largest unit that leaves it whole.
template <std::size_t N>
std::string in_units(double amount, const std::array<Unit, N>& units, std::string_view fallback) {
  for (const auto& unit : units) {
    const double count = amount / unit.factor;
    if (count >= 1 && count == std::floor(count)) return fmt::format("{}{}", count, unit.name);
  }
  return fmt::format("{}{}", amount, fallback);
}

}  // namespace

std::optional<double> parse_size_bytes(std::string_view text) {
  text = base::trim(text);
  double factor = 1;
  for (const auto& unit : kSizes)
    if (text.ends_with(unit.name)) {
      factor = unit.factor;
      text.remove_suffix(unit.name.size());
      break;
    }
  const auto number = base::parse_number(text);
  if (!number || !std::isfinite(*number) || *number < 0) return std::nullopt;
  return *number * factor;
}

std::optional<double> parse_factor(std::string_view text) {
  text = base::trim(text);
  if (text.ends_with('x')) text.remove_suffix(1);
  const auto number = base::parse_number(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

std::string duration_text(double seconds) { return in_units(seconds, kDurations, "s"); }
std::string size_text(double bytes) { return in_units(bytes, kSizes, "B"); }
std::string fraction_text(double fraction) {
  return fmt::format("{}%", std::round(fraction * 1e6) / 1e4);
}

std::string toml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + "\"";
}

}  // namespace arbor::app
