// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/cli/parse.h"
#include "app/cli/terminal.h"

// A command line run within a test, as the arbor program would run it.
namespace arbor::app {

// What a verb said and how it ended.
struct Said {
  int code = -1;
  std::string out, err;
};

inline Said say(std::vector<std::string> words, Terminal::Setup setup = {}) {
  words.insert(words.begin(), "arbor");
  std::vector<const char*> argv;
  for (const auto& word : words) argv.push_back(word.c_str());
  const auto parsed = parse_line(static_cast<int>(argv.size()), argv.data(), all_verbs());
  if (const auto* notice = std::get_if<ParsedNotice>(&parsed))
    return {notice->exit_code, notice->exit_code == 0 ? notice->text : "",
            notice->exit_code == 0 ? "" : notice->text};
  const auto& line = std::get<ParsedLine>(parsed);
  setup.is_json = line.arguments.has("--json");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  {
    Terminal terminal(setup);
    said.code = line.verb->run(line.arguments, terminal);
  }
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

}  // namespace arbor::app
