// SPDX-License-Identifier: Apache-2.0
#include "agents/specialists/patch_writer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/subprocess.h"

namespace arbor::agents {
namespace {

// What git makes of a source and the diff of its edits.
std::string applied(const std::string& source, const std::vector<LineEdit>& edits) {
  auto scratch = base::ScratchDir::create(std::filesystem::temp_directory_path(), "arbor-patch-");
  EXPECT_TRUE(scratch.has_value());
  const auto file = scratch->path() / "src/a.c";
  EXPECT_TRUE(base::write_file(file, source).has_value());
  base::ToolCall call;
  call.argv = {"git", "apply", "--unsafe-paths", "--whitespace=nowarn", "-"};
  call.cwd = scratch->path();
  call.standard_input = unified_diff("src/a.c", source, edits);
  const auto output = base::run_tool_ok(call);
  EXPECT_TRUE(output.has_value()) << output.error().message << call.standard_input;
  return base::read_file(file).value_or("unreadable");
}

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(PatchWriter, WritesTheDiffThatGitWouldWrite) {
  EXPECT_EQ(unified_diff("src/a.c", "a\nb\nc\nd\ne\n", {{5, 0, {"new"}}}),
            "--- a/src/a.c\n+++ b/src/a.c\n@@ -2,4 +2,5 @@\n b\n c\n d\n+new\n e\n");
}

TEST(PatchWriter, InsertsReplacesAndRemovesFarApart) {
  EXPECT_EQ(applied(numbered(40), {{30, 2, {}}, {2, 0, {"x", "y"}}, {15, 1, {"z"}}}), [] {
    std::string expected = "1\nx\ny\n";
    for (int i = 2; i <= 40; ++i)
      if (i == 15)
        expected += "z\n";
      else if (i != 30 && i != 31)
        expected += std::to_string(i) + "\n";
    return expected;
  }());
}

TEST(PatchWriter, JoinsEditsThatShareTheirContext) {
  const auto diff = unified_diff("a.c", numbered(20), {{4, 0, {"x"}}, {9, 0, {"y"}}});
  EXPECT_EQ(diff.find("@@ -"), diff.rfind("@@ -"));
  EXPECT_EQ(applied(numbered(9), {{4, 0, {"x"}}, {9, 0, {"y"}}}),
            "1\n2\n3\nx\n4\n5\n6\n7\n8\ny\n9\n");
}

TEST(PatchWriter, AppendsToATextWithAndWithoutALastLineEnd) {
  EXPECT_EQ(applied("a\nb\n", {{3, 0, {"c"}}}), "a\nb\nc\n");
  EXPECT_EQ(applied("a\nb", {{3, 0, {"c"}}}), "a\nb\nc\n");
  EXPECT_EQ(applied("a\nb", {{1, 0, {"c"}}}), "c\na\nb");
}

TEST(PatchWriter, KeepsForeignLineEndsOfTheLinesAround) {
  EXPECT_EQ(applied("a\r\nb\r\n", {{2, 0, {"c"}}}), "a\r\nc\nb\r\n");
}

}  // namespace
}  // namespace arbor::agents
