// SPDX-License-Identifier: Apache-2.0
// The shape of the house as tests: first each rule against a tree that breaks it (a rule that
// cannot fail guards nothing), then all rules against the real tree.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rules.h"
#include "source_tree.h"

namespace arbor::layout {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kLicence = "// SPDX-License-Identifier: Apache-2.0\n";

SourceTree tree_of(std::vector<SourceFile> files) {
  return {.files = std::move(files), .rooms = {"base", "domain", "search"}};
}

std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "int x" + std::to_string(i) + ";\n";
  return text;
}

TEST(Rooms, AreReadFromTheCMakeLineAndNotFromAComment) {
  EXPECT_THAT(rooms_of("# arbor_rooms(no)\narbor_rooms(base domain\n  ports)\n"),
              ElementsAre("base", "domain", "ports"));
  EXPECT_THAT(rooms_of("project(x)\n"), IsEmpty());
}

TEST(Includes, UpwardIsAViolation) {
  const auto found = includes_go_downward(
      tree_of({{"src/domain/a.cc", "#include <x>\n#include \"search/b.h\"\n"}}));
  EXPECT_THAT(found, ElementsAre(HasSubstr("src/domain/a.cc:2: domain may not see")));
}

TEST(Includes, DownwardAndWithinTheRoomAreFine) {
  EXPECT_THAT(includes_go_downward(tree_of(
                  {{"src/search/a.cc", "#include \"base/b.h\"\n#include \"search/deep/a.h\"\n"}})),
              IsEmpty());
}

TEST(Includes, APathThatStartsWithNoRoomIsAViolation) {
  EXPECT_THAT(includes_go_downward(tree_of({{"src/search/a.cc", "#include \"a.h\"\n"}})),
              ElementsAre(HasSubstr("starting with a room")));
}

TEST(Sizes, EachKindOfFileHasItsLimit) {
  EXPECT_THAT(
      files_are_short(tree_of({{"src/base/a.cc", many_lines(601)},
                               {"src/base/a.h", many_lines(151)},
                               {"src/base/a_test.cc", many_lines(1001)}})),
      ElementsAre(HasSubstr("a.cc: 601"), HasSubstr("a.h: 151"), HasSubstr("test.cc: 1001")));
  EXPECT_THAT(files_are_short(tree_of({{"src/base/a.cc", many_lines(600)},
                                       {"src/base/a.h", many_lines(150)},
                                       {"src/base/a_test.cc", many_lines(1000)}})),
              IsEmpty());
}

TEST(Functions, AreMeasuredFromBraceToBrace) {
  const auto found = functions_of(
      "namespace a {\nstruct S : T<int> {\n  int f() const {\n    if (x) {\n    }\n  }\n};\n"
      "int g(int a,\n      int b) {\n  return [&] {\n    return 1;\n  }();\n}\n}\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first_line, 3);
  EXPECT_EQ(found[0].lines, 4);
  EXPECT_EQ(found[1].first_line, 9);
  EXPECT_EQ(found[1].lines, 5);
}

TEST(Functions, BracesInCommentsStringsAndLiteralsDoNotCount) {
  const auto found = functions_of(
      "void f() {\n  // }\n  g(\"}\", '}', R\"x(})\"})x\"); /* } */\n  n = 1'000;\n}\nvoid h() "
      "{}\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].lines, 5);
  EXPECT_EQ(found[1].first_line, 6);
}

TEST(Functions, TablesAndTypesAreNotFunctions) {
  EXPECT_THAT(
      functions_of("enum class E { kA };\nconst int kTable[] = {\n1,\n2};\nclass C {\n};\n"),
      IsEmpty());
}

TEST(Functions, MacrosDoNotHideTheNamespaceThatFollows) {
  EXPECT_THAT(
      functions_of("#define F(x)   \\\n  do { \\\n  } while (0)\nnamespace a {\nint x;\n}\n"),
      IsEmpty());
}

TEST(Functions, ALongCommentBeforeABraceIsNoTrouble) {
  const std::string comment = "// " + std::string(100, 'x') + "\n";
  std::string text;
  for (int i = 0; i < 2000; ++i) text += comment;
  EXPECT_THAT(functions_of(text + "namespace a {\nint f() {\n}\n}\n"), ::testing::SizeIs(1));
}

TEST(Functions, TheSeventyFirstLineIsAViolation) {
  const auto body = [](int lines) { return "void f() {\n" + many_lines(lines - 2) + "}\n"; };
  EXPECT_THAT(functions_are_short(tree_of({{"src/base/a.cc", body(71)}})),
              ElementsAre(HasSubstr("a.cc:1: a function of 71 lines")));
  EXPECT_THAT(functions_are_short(tree_of({{"src/base/a.cc", body(70)}})), IsEmpty());
}

TEST(Names, FilesAndFoldersThatSayNothingAreViolations) {
  EXPECT_THAT(names_say_something(tree_of({{"src/core/a.cc", ""},
                                           {"src/base/common.h", ""},
                                           {"src/base/text_utils.cc", ""},
                                           {"src/base/helpers_test.cc", ""}})),
              ::testing::SizeIs(4));
  EXPECT_THAT(names_say_something(tree_of({{"src/measure/core_count.cc", ""}})), IsEmpty());
}

TEST(Names, OtherEndingsCamelCaseAndStrayFoldersAreViolations) {
  EXPECT_THAT(sources_are_named_alike(tree_of({{"src/base/a.cpp", ""},
                                               {"src/base/FastPath.cc", ""},
                                               {"scratch/a.cc", ""},
                                               {"tests/x/a_test.cc", ""}})),
              ElementsAre(HasSubstr(".cc and .h"), HasSubstr("snake_case"), HasSubstr("live in")));
}

TEST(Leftovers, AreFoundInSourcesAndDocuments) {
  const std::string word = std::string("TO") + "DO";
  EXPECT_THAT(nothing_is_left_over(tree_of({{"docs/a.md", "one\n" + word + ": two\n"},
                                            {"src/base/a.cc", "mkdtemp(\"aXXXXXX\");\n"}})),
              ElementsAre(HasSubstr("docs/a.md:2")));
}

TEST(Licence, IsTheFirstLineOrFollowsTheInterpreter) {
  EXPECT_THAT(
      sources_name_their_licence(tree_of({{"src/base/a.cc", "\n" + kLicence},
                                          {"src/base/b.cc", kLicence},
                                          {"scripts/a.sh", "#!/bin/sh\nset -e\n"},
                                          {"scripts/b.sh", "#!/bin/sh\n#" + kLicence.substr(2)}})),
      ElementsAre(HasSubstr("src/base/a.cc"), HasSubstr("scripts/a.sh")));
}

TEST(Headers, HeavyLibrariesBelongInSources) {
  EXPECT_THAT(headers_are_light(tree_of({{"src/base/a.h", "#include <nlohmann/json.hpp>\n"},
                                         {"src/base/b.h", "#include <toml++/toml.h>\n"},
                                         {"src/base/c.h", "#include <CLI/CLI.hpp>\n"},
                                         {"src/base/d.h", "#include <boost/math/tools.hpp>\n"},
                                         {"src/base/e.h", "#include <nlohmann/json_fwd.hpp>\n"},
                                         {"src/base/a.cc", "#include <nlohmann/json.hpp>\n"}})),
              ::testing::SizeIs(4));
}

TEST(Searches, OnlyTestsMayBacktrack) {
  EXPECT_THAT(searches_are_linear(tree_of({{"src/base/a.cc", "#include <regex>\n"},
                                           {"src/base/a_test.cc", "#include <regex>\n"},
                                           {"src/base/b.cc", "#include \"base/pattern.h\"\n"}})),
              ::testing::SizeIs(1));
}

TEST(Targets, ASourceOutsideEveryTargetIsAViolation) {
  const std::vector<SourceFile> sources = {{"src/attic/a.cc", ""},
                                           {"src/base/a.cc", ""},
                                           {"src/base/programs/main.cc", ""},
                                           {"src/loose.cc", ""},
                                           {"tests/x/x_test.cc", ""}};
  EXPECT_THAT(every_source_has_a_target(tree_of(sources)),
              ElementsAre(HasSubstr("src/attic/a.cc"), HasSubstr("programs/main.cc"),
                          HasSubstr("src/loose.cc"), HasSubstr("tests/x/x_test.cc")));
}

TEST(Targets, NamesInTheListsCountAndCommentsDoNot) {
  const auto with_list = [](const std::string& list) {
    return tree_of({{"cmake/programs.cmake", list}, {"src/base/programs/main.cc", ""}});
  };
  EXPECT_THAT(every_source_has_a_target(with_list("add_executable(a src/base/programs/main.cc)")),
              IsEmpty());
  EXPECT_THAT(every_source_has_a_target(with_list("# src/base/programs/main.cc\n")),
              ::testing::SizeIs(1));
}

struct Rule {
  const char* name;
  Violations (*check)(const SourceTree&);
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

class House : public ::testing::TestWithParam<Rule> {};

TEST_P(House, KeepsTheRule) {
  static const SourceTree tree = read_tree(ARBOR_SOURCE_ROOT);
  ASSERT_GT(tree.files.size(), 20U) << "no sources under " << ARBOR_SOURCE_ROOT;
  ASSERT_FALSE(tree.rooms.empty()) << "CMakeLists.txt has no arbor_rooms(...) line";
  for (const auto& violation : GetParam().check(tree)) ADD_FAILURE() << violation;
}

INSTANTIATE_TEST_SUITE_P(
    Layout, House,
    ::testing::Values(Rule{"IncludesGoDownward", includes_go_downward},
                      Rule{"FilesAreShort", files_are_short},
                      Rule{"FunctionsAreShort", functions_are_short},
                      Rule{"NamesSaySomething", names_say_something},
                      Rule{"SourcesAreNamedAlike", sources_are_named_alike},
                      Rule{"NothingIsLeftOver", nothing_is_left_over},
                      Rule{"SourcesNameTheirLicence", sources_name_their_licence},
                      Rule{"SearchesAreLinear", searches_are_linear},
                      Rule{"HeadersAreLight", headers_are_light},
                      Rule{"EverySourceHasATarget", every_source_has_a_target}),
    [](const auto& rule) { return std::string(rule.param.name); });

}  // namespace
}  // namespace arbor::layout
