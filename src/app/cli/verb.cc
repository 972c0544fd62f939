// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

namespace arbor::app {

bool Arguments::has(std::string_view option) const { return options.contains(std::string(option)); }

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options.find(std::string(option));
  if (found == options.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options.find(std::string(option));
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

const std::vector<Option>& shared_options() {
  static const std::vector<Option> kOptions = {
      {"-C", "DIR", "work on the program in DIR instead of the current folder"},
      {"--json", "", "print one JSON document with a schema version instead of text"},
      {"--quiet", "", "no progress on standard error"},
      {"--color", "WHEN", "always, never or auto (the default; NO_COLOR is honoured)"},
      {"--no-input", "", "never ask; take the default or fail"},
  };
  return kOptions;
}

}  // namespace arbor::app
