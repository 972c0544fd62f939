// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

// Quantities as people write them, and back. Durations and fractions are in base/text.h.
namespace arbor::app {

inline constexpr double kLongest_s = 365 * 86400.0;  // of every duration that a user gives

// "8GiB", "512 MiB", "2GB" (10^9), "4096" → bytes; nothing for anything else or a negative size.
std::optional<double> parse_size_bytes(std::string_view text);
std::optional<double> parse_factor(std::string_view text);  // "1.5x", "1.5"

// The shortest text that parses back to the same quantity: "30m", "90s", "8GiB", "2%".
std::string duration_text(double seconds);
std::string size_text(double bytes);
std::string fraction_text(double fraction);

// A TOML string with what must be escaped escaped.
std::string toml_quoted(std::string_view text);

}  // namespace arbor::app
