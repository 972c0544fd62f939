// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/record.h"

#include <gtest/gtest.h>

namespace arbor::workspace {
namespace {
using Kind = CompileCommand::Kind;

CompileCommand command() {
  CompileCommand made;
  made.directory = "/repo/build";
  made.original_argv = {"cc", "-DX=\"a\tb\"", "-c", "../src/ü.c"};
  made.final_argv = {"/usr/bin/cc", "", "\\\n\x01"};
  made.tool = "cc";
  made.kind = Kind::kCompile;
  made.sources = {"../src/ü.c"};
  made.outputs = {"/tmp/x.o"};
  made.exit_code = 143;
  made.wall_s = 1.25;
  return made;
}

TEST(Record, ReadsBackWithPathsFromTheRepositorysRoot) {
  CompileCommand expected = command();
  expected.sources = {"src/ü.c"};
  const std::string line = record_line(command());
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(parse_commands(line + line, "/repo").value(),
            (std::vector<CompileCommand>{expected, expected}));
}

TEST(Record, StaysReadableWithBytesThatAreNoText) {
  CompileCommand odd = command();
  odd.original_argv = {"\xff", "a\xc3", "\xed\xa0\x80", "\xf0\x9f\x98\x80"};
  const auto commands = parse_commands(record_line(odd), "/repo").value();
  EXPECT_EQ(commands[0].original_argv[1], "a\xEF\xBF\xBD");
  EXPECT_EQ(commands[0].original_argv[3], "\xf0\x9f\x98\x80");
}

TEST(Record, NamesALineThatIsDamaged) {
  const std::string good = record_line(command());
  for (const std::string& bad :
       {std::string("{}"), std::string("{"), std::string("[1]"), good.substr(0, good.size() / 2),
        std::string(R"({"kind":"dance","directory":"","tool":"","original":[],"final":[],)"
                    R"("sources":[],"outputs":[],"exit":0,"wall_s":0})")}) {
    const auto commands = parse_commands(good + bad + "\n", "/repo");
    ASSERT_FALSE(commands) << bad;
    EXPECT_EQ(commands.error().kind, base::ErrorKind::kCorrupt);
    EXPECT_NE(commands.error().message.find("line 2"), std::string::npos);
  }
}

TEST(Record, ShowsABuildWhoseCompilersPassedTheShimBy) {
  CompileCommand probe = command();
  probe.kind = Kind::kProbe;
  EXPECT_TRUE(has_unrecorded_compiles({probe}, {"bin/server"}));
  EXPECT_TRUE(has_unrecorded_compiles({}, {"a.o"}));
  EXPECT_FALSE(has_unrecorded_compiles({}, {"notes.txt"}));
  EXPECT_FALSE(has_unrecorded_compiles({command()}, {"bin/server"}));
}

TEST(Record, NamesTheObjectsThatNoCommandWrote) {
  CompileCommand seen = command();
  seen.outputs = {"build/a.o"};
  EXPECT_EQ(unrecorded_objects({seen}, {"build/a.o", "build/b.o", "prog"}),
            std::vector<std::string>{"build/b.o"});
}

}  // namespace
}  // namespace arbor::workspace
