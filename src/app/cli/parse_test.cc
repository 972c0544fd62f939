// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parse.h"

#include <gtest/gtest.h>

namespace arbor::app {
namespace {

std::vector<Verb> sample_verbs() {
  return {{"run",
           "Optimise",
           "arbor run --budget 15m",
           {{"--budget", "DURATION", "wall time"}},
           {},
           nullptr},
          {"show", "Show", "arbor show n3", {}, {{"NODE", "which", true, false}}, nullptr},
          {"bench", "Compare", "arbor bench a b", {}, {{"COMMAND", "what", true, true}}, nullptr}};
}

auto parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "arbor");
  static const auto kVerbs = sample_verbs();
  return parse_line(static_cast<int>(words.size()), words.data(), kVerbs);
}

TEST(CommandLine, ReadsOptionsAndPositionalsOfAVerb) {
  const auto run = std::get<ParsedLine>(parsed({"run", "--budget", "15m", "-C", "/x y", "--json"}));
  EXPECT_EQ(run.verb->name, "run");
  EXPECT_EQ(run.arguments.value("--budget"), "15m");
  EXPECT_EQ(run.arguments.value("-C"), "/x y");
  EXPECT_TRUE(run.arguments.has("--json"));
  EXPECT_FALSE(run.arguments.has("--quiet"));
  EXPECT_EQ(std::get<ParsedLine>(parsed({"bench", "a", "b"})).arguments.positionals,
            (std::vector<std::string>{"a", "b"}));
}

TEST(CommandLine, TakesWhatEveryVerbTakesBeforeTheVerbToo) {
  const auto show = std::get<ParsedLine>(parsed({"-C", "/x y", "--json", "show", "n3"}));
  EXPECT_EQ(show.verb->name, "show");
  EXPECT_EQ(show.arguments.value("-C"), "/x y");
  EXPECT_TRUE(show.arguments.has("--json"));
  EXPECT_EQ(show.arguments.positionals, (std::vector<std::string>{"n3"}));
  EXPECT_EQ(std::get<ParsedNotice>(parsed({"-C", "/x"})).exit_code, kExitUsage);
}

TEST(CommandLine, SuggestsTheVerbAndTheOptionThatWereMeant) {
  const auto verb = std::get<ParsedNotice>(parsed({"rnu"}));
  EXPECT_EQ(verb.exit_code, kExitUsage);
  EXPECT_NE(verb.text.find("Did you mean 'run'?"), std::string::npos);
  const auto option = std::get<ParsedNotice>(parsed({"run", "--budgte", "3m"}));
  EXPECT_EQ(option.exit_code, kExitUsage);
  EXPECT_NE(option.text.find("Did you mean '--budget'?"), std::string::npos);
}

TEST(CommandLine, RefusesAMissingPositional) {
  EXPECT_EQ(std::get<ParsedNotice>(parsed({"show"})).exit_code, kExitUsage);
}

TEST(CommandLine, HelpOfAVerbShowsItsExample) {
  const auto help = std::get<ParsedNotice>(parsed({"run", "--help"}));
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.text.find("arbor run --budget 15m"), std::string::npos);
}

}  // namespace
}  // namespace arbor::app
