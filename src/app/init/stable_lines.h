// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

// What of a program's output can be compared with another run's. Pure.
namespace arbor::app {

// Numbers of two runs that are closer than this are the same number.
inline constexpr double kGuessedRtol = 1e-6;

struct StableLines {
  bool is_text = false;    // else it can only be compared as a whole
  bool is_stable = false;  // what is left without the dropped lines is equal, and not nothing
  // Extended regular expressions, for grep -E, of the lines that cannot be compared: those that
  // differ between the two runs, and those that tell a time, a rate, a date or a number of threads
  // and only happened to be equal.
  std::vector<std::string> dropped;
  std::vector<std::string> examples;  // one such line for each expression
};

StableLines stable_lines(std::string_view first, std::string_view second);

// Whether a third run, under other circumstances, differs where the first two agree.
bool differs_beyond_chance(std::string_view first, std::string_view second, std::string_view third);

}  // namespace arbor::app
