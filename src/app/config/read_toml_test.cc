// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/config/manifest_file.h"
#include "app/config/toml_nesting.h"
#include "app/config/value.h"
#include "base/files.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string refusal(const std::string& toml) {
  const auto table = read_toml(toml, "arbor.toml");
  return table ? "" : table.error().message;
}

// Each of them ended the process: by an assertion, or by the end of its stack.
TEST(ReadToml, RefusesTextsThatAreOnlyMeantToHurt) {
  for (const std::string& text : std::vector<std::string>{"[",
                                                          "[\n",
                                                          "[[",
                                                          "[[[",
                                                          "[ [",
                                                          "[.",
                                                          "[a.",
                                                          "[a",
                                                          "[[a]",
                                                          "[]",
                                                          "[[]]",
                                                          "[=]",
                                                          "[a]]",
                                                          "a",
                                                          "a.",
                                                          "a=",
                                                          "a=[",
                                                          "a={",
                                                          "a={b",
                                                          "a={b=",
                                                          "a={b=1,",
                                                          "a.=1",
                                                          ".a=1",
                                                          "=",
                                                          "a=\"",
                                                          "a='",
                                                          "a='''",
                                                          "a=\"\"\"\\",
                                                          "\"a",
                                                          "'a",
                                                          "a=1_",
                                                          "a=_1",
                                                          "a=+",
                                                          "a=0x",
                                                          "a=1e",
                                                          "a=i",
                                                          "a=n",
                                                          "a=t",
                                                          "a=1979-",
                                                          "a=1979-01-",
                                                          "a=07:",
                                                          "a=\"\\u\"",
                                                          "a=\"\\uD800\"",
                                                          "a=\xff",
                                                          "\xff\xfe[",
                                                          "\xef\xbb\xbf[",
                                                          "a=1\r",
                                                          "a\0=1",
                                                          "[a]\n[a]\n[",
                                                          "a.b=1\na.b.c=2",
                                                          "[[a]]\n[a]",
                                                          "a=[1]\n[[a]]",
                                                          "a={}\na.b=1"})
    EXPECT_THAT(refusal(text), HasSubstr("arbor.toml")) << testing::PrintToString(text);
}

TEST(ReadToml, RefusesNestingWithoutEndAndNamesTheLine) {
  const auto too_deep = AllOf(HasSubstr("arbor.toml:2:"), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(refusal("schema = 1\na" + repeated(".a", 50'000) + " = 1"), too_deep);
  EXPECT_THAT(refusal("schema = 1\na" + repeated(" . 'b'", 100) + " = 1"), too_deep);
  EXPECT_THAT(refusal("schema = 1\n[a" + repeated(".a", 50'000) + "]"), too_deep);
  EXPECT_THAT(refusal("schema = 1\na = " + repeated("[", 500'000)), too_deep);
  EXPECT_THAT(refusal("schema = 1\n" + repeated("[", 500'000)), too_deep);
  EXPECT_THAT(refusal("schema = 1\na = " + repeated("{ a = ", 10'000)), too_deep);
  EXPECT_THAT(refusal("schema = 1\na = " + repeated("{ a.a.a.a = ", 20)), too_deep);
  EXPECT_THAT(refusal(repeated("#", 2 << 20)), HasSubstr("larger than 1048576 bytes"));
}

TEST(ReadToml, CountsNoBracketsAndDotsOfStringsAndComments) {
  const std::string brackets(200, '['), dots(200, '.');
  for (const std::string& text : std::vector<std::string>{
           "a = \"" + brackets + "\\\"" + dots + "\"", "a = '" + brackets + "\\'",
           "# " + dots + brackets, "a = '''\n" + brackets + "'" + dots + "'''''",
           "a = \"\"\"" + dots + "\\\"\"\"\"\"", "a = 1 # " + brackets + "\nb.c = 2",
           "\"" + dots + "\" = 1", "a = [" + repeated("1.5, ", 500) + "]", repeated("[x.y]\n", 1)})
    EXPECT_EQ(refusal(text), "") << text;
  std::string tables;
  for (int i = 0; i < 500; ++i) tables += "[[a]]\nb.c.d = 1.5\n";
  EXPECT_EQ(refusal(tables), "");
}

TEST(ReadToml, TakesWhatIsJustDeepEnough) {
  EXPECT_FALSE(line_nested_too_deep("a" + repeated(".a", kMaxTomlDepth) + "=1"));
  EXPECT_TRUE(line_nested_too_deep("a" + repeated(".a", kMaxTomlDepth + 1) + "=1"));
  EXPECT_EQ(refusal("a = " + repeated("[", kMaxTomlDepth) + repeated("]", kMaxTomlDepth)), "");
  EXPECT_EQ(refusal("[a" + repeated(".a", kMaxTomlDepth - 1) + "]\nb" +
                    repeated(".b", kMaxTomlDepth) + " = " + "1"),
            "");
}

TEST(LoadManifest, RefusesAManifestThatIsNoFile) {
  const auto scratch =
      std::move(*base::ScratchDir::create(std::filesystem::temp_directory_path(), "manifest-"));
  const auto path = scratch.path() / "arbor.toml";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(load_manifest(scratch.path()).error().message,
              AllOf(HasSubstr("arbor.toml"), HasSubstr("it is a pipe")));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_THAT(load_manifest(scratch.path()).error().message, HasSubstr("it is a folder"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  EXPECT_THAT(load_manifest(scratch.path()).error().message, HasSubstr("it is a device"));
}

}  // namespace
}  // namespace arbor::app
