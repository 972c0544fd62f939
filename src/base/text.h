// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Small things done with text that the standard library leaves out.
namespace arbor::base {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> lines_of(std::string_view text);  // without their line ends
std::string join(std::span<const std::string> parts, std::string_view separator);

// One argument as a POSIX shell would need it quoted; unchanged where no quoting is needed.
std::string shell_quoted(std::string_view argument);
std::string shell_command(std::span<const std::string> argv);
// The words of a command line, as far as they can be told without a shell: quotes hold blanks,
// operators end a word, nothing is expanded.
std::vector<std::string> shell_words(std::string_view command);

// Characters of UTF-8, each of which takes a column; and the first so many of them.
std::size_t columns_of(std::string_view text);
std::string first_columns(std::string_view text, std::size_t most);
// The text, or its first columns and "…" where it is wider than that.
std::string elided(std::string_view text, std::size_t columns);

// The candidate nearest to a mistyped word, if it is near enough to suggest.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// "90", "90s", "15m", "1h30m", "250ms" → seconds; nothing for anything else, negative or not
// finite.
std::optional<double> parse_duration_s(std::string_view text);
std::string format_duration(double seconds);  // "850 ms", "42.1 s", "3m 12s", "2h 05m"

// "2%" → 0.02, "0.02" → 0.02.
std::optional<double> parse_fraction(std::string_view text);
std::optional<double> parse_number(std::string_view text);  // whole text, finite or not

// Bytes that a terminal or a log must not receive are replaced (control characters, bad UTF-8).
std::string printable(std::string_view untrusted);
// At most max_bytes of a text, its middle replaced by a note of how much was left out.
std::string shortened(std::string_view text, std::size_t max_bytes);

}  // namespace arbor::base
