// SPDX-License-Identifier: Apache-2.0
#include "workspace/glob.h"

#include <gtest/gtest.h>

namespace arbor::workspace {
namespace {

TEST(Glob, StarsStayWithinAComponentAndDoubleStarsSpanThem) {
  EXPECT_TRUE(glob_matches("src/*.c", "src/a.c"));
  EXPECT_FALSE(glob_matches("src/*.c", "src/sub/a.c"));
  EXPECT_TRUE(glob_matches("src/**/*.c", "src/a.c"));
  EXPECT_TRUE(glob_matches("src/**/*.c", "src/x/y/a.c"));
  EXPECT_TRUE(glob_matches("**", "anything/at/all"));
  EXPECT_TRUE(glob_matches("**/a.c", "a.c"));
  EXPECT_FALSE(glob_matches("**/a.c", "b/aa.c"));
  EXPECT_TRUE(glob_matches("a?c", "abc"));
  EXPECT_FALSE(glob_matches("a?c", "a/c"));
}

TEST(Glob, AFolderMatchesAllBelowIt) {
  for (const char* glob : {"tests", "tests/", "tests/**", "./tests"})
    EXPECT_TRUE(glob_matches(glob, "tests/deep/x")) << glob;
  EXPECT_FALSE(glob_matches("tests", "tests2/x"));
  EXPECT_TRUE(glob_matches("**/golden", "a/golden/x/y"));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(Glob, SetsAndQuoting) {
  EXPECT_TRUE(glob_matches("[a-c]x[!0-9]", "bxy"));
  EXPECT_FALSE(glob_matches("[a-c]x[!0-9]", "bx7"));
  EXPECT_TRUE(glob_matches("a\\*b", "a*b"));
  EXPECT_FALSE(glob_matches("a\\*b", "axb"));
  EXPECT_TRUE(glob_matches("[", "["));
}

TEST(Glob, ManyStarsDoNotExplode) {
  const std::string text(2000, 'a');
  EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(Glob, RootedGlobsFollowTheProgramFolder) {
  EXPECT_EQ(rooted_glob("sub/app", "src/**"), "sub/app/src/**");
  EXPECT_EQ(rooted_glob("sub/app", "../lib/**"), "sub/lib/**");
  EXPECT_EQ(rooted_glob("", "../x"), "");
  EXPECT_TRUE(glob_matches(rooted_glob("a [1]*", "b/*"), "a [1]*/b/c"));
  EXPECT_FALSE(glob_matches(rooted_glob("a*", "b"), "ax/b"));
}

}  // namespace
}  // namespace arbor::workspace
