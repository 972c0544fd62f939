// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "app/cli/verb.h"

namespace arbor::app {

struct ParsedLine {
  const Verb* verb = nullptr;
  Arguments arguments;
};
// What to print instead of running a verb (help, a usage error), and the exit code.
struct ParsedNotice {
  std::string text;
  int exit_code = 0;
};

// Reads a command line against the table of verbs; a mistyped verb or option gets a suggestion.
std::variant<ParsedLine, ParsedNotice> parse_line(int argc, const char* const* argv,
                                                  const std::vector<Verb>& verbs);

std::string help_of(const Verb& verb);
std::string help_of_all(const std::vector<Verb>& verbs);

}  // namespace arbor::app
