// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbor::app {

// Exit codes that scripts may rely on; a stop by a signal is exit_code_of_interruption().
enum ExitCode {
  kExitDone = 0,
  kExitFailure = 1,
  kExitUsage = 2,
  kExitNoImprovement = 3,
  kExitBaselineFails = 4,
  kExitUndecided = 5,
  kExitEnvironment = 6,
  kExitProvider = 7,
};

struct Option {
  std::string name;   // "--budget"
  std::string value;  // what it takes, "DURATION"; empty = a switch
  std::string help;
  bool is_repeatable = false;
};

struct Positional {
  std::string name;  // "NODE"
  std::string help;
  bool is_required = true;
  bool takes_rest = false;
};

// What the user gave a verb. Values are text; who needs a number parses it and names the option.
struct Arguments {
  std::map<std::string, std::vector<std::string>> options;
  std::vector<std::string> positionals;

  bool has(std::string_view option) const;
  std::optional<std::string> value(std::string_view option) const;  // the last one given
  std::vector<std::string> values(std::string_view option) const;
};

class Terminal;

// One verb of the command line. The table of all of them (verbs.cc) is also where help, completions
// and the manual page come from.
struct Verb {
  std::string name;
  std::string summary;  // one line
  std::string example;  // one or more command lines that work
  std::vector<Option> options;
  std::vector<Positional> positionals;
  int (*run)(const Arguments& arguments, Terminal& terminal) = nullptr;
};

// In the order of `arbor --help`.
const std::vector<Verb>& all_verbs();
// Options that every verb takes: -C, --json, --quiet, --color, --no-input.
const std::vector<Option>& shared_options();

}  // namespace arbor::app
