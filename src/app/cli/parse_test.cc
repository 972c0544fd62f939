// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

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

// Against the verbs there are.
auto parsed_line(std::vector<std::string> words) {
  words.insert(words.begin(), "arbor");
  std::vector<const char*> argv;
  for (const auto& word : words) argv.push_back(word.c_str());
  return parse_line(static_cast<int>(argv.size()), argv.data(), all_verbs());
}

TEST(CommandLine, FindsPositionalsWhereverOptionsStand) {
  const std::vector<std::vector<std::string>> lines = {
      {"-C", "/x", "show", "n1", "--json"},
      {"show", "-C", "/x", "n1", "--json"},
      {"show", "n1", "-C", "/x", "--json"},
      {"show", "--json", "-C", "/x", "n1"},
      {"--json", "show", "-C", "/x", "n1"},
      {"show", "--json", "n1", "-C", "/x"},
      {"--quiet", "show", "-C", "/x", "n1", "--json"},
      {"show", "-C", "/x", "--json", "--", "n1"}};
  for (const std::string verb : {"show", "why", "diff"})
    for (auto line : lines) {
      std::ranges::replace(line, std::string("show"), verb);
      const auto found = parsed_line(line);
      ASSERT_TRUE(std::holds_alternative<ParsedLine>(found))
          << testing::PrintToString(line) << std::get<ParsedNotice>(found).text;
      const auto& arguments = std::get<ParsedLine>(found).arguments;
      EXPECT_EQ(arguments.value("-C"), "/x") << testing::PrintToString(line);
      EXPECT_EQ(arguments.positionals, std::vector<std::string>{"n1"});
      EXPECT_TRUE(arguments.has("--json"));
    }
  const auto bench = std::get<ParsedLine>(parsed_line({"bench", "-C", "/x", "a", "b"})).arguments;
  EXPECT_EQ(bench.positionals, (std::vector<std::string>{"a", "b"}));
  const auto run =
      std::get<ParsedLine>(parsed_line({"run", "--only", "a", "--only", "b"})).arguments;
  EXPECT_EQ(run.values("--only"), (std::vector<std::string>{"a", "b"}));
}

TEST(CommandLine, RefusesMorePositionalsThanAVerbTakes) {
  for (const std::vector<std::string>& line : {std::vector<std::string>{"diff", "n1", "n2", "n3"},
                                               {"diff", "n1", "n2"},
                                               {"-C", "/x", "show", "n1", "n2"},
                                               {"status", "n1"},

                                               {"run", "--only", "a", "b"}}) {
    const auto found = parsed_line(line);
    ASSERT_TRUE(std::holds_alternative<ParsedNotice>(found)) << testing::PrintToString(line);
    EXPECT_EQ(std::get<ParsedNotice>(found).exit_code, kExitUsage);
    EXPECT_TRUE(std::get<ParsedNotice>(found).text.contains(line.back()))
        << std::get<ParsedNotice>(found).text;
  }
}

TEST(CommandLine, RefusesMoreThanAnOptionalPositional) {
  EXPECT_EQ(std::get<ParsedNotice>(parsed_line({"list", "readers", "x"})).exit_code, kExitUsage);
  EXPECT_EQ(std::get<ParsedLine>(parsed_line({"list", "readers"})).arguments.positionals.size(),
            1U);
}

TEST(CommandLine, AsksForAVerbWhereOnlySharedOptionsAreGiven) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"-C", "/x"}, {"--json"}, {"-C"}, {"--color=never"}}) {
    const auto notice = std::get<ParsedNotice>(parsed_line(line));
    EXPECT_EQ(notice.exit_code, kExitUsage);
    EXPECT_TRUE(notice.text.contains("no verb is given")) << notice.text;
  }
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
