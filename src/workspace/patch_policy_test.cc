// SPDX-License-Identifier: Apache-2.0
#include "workspace/patch_policy.h"

#include <gmock/gmock.h>

namespace arbor::workspace {
namespace {
using testing::Contains;
using testing::Not;

TEST(JudgingFiles, AreThoseThatACommandNames) {
  EXPECT_THAT(judging_files("./check.sh"), Contains("check.sh"));
  EXPECT_THAT(judging_files("python3 tools/check.py --against data/golden.txt"),
              testing::AllOf(Contains("tools/check.py"), Contains("data/golden.txt")));
  EXPECT_THAT(judging_files("./app >out&&diff out 'my golden.txt'"), Contains("my golden.txt"));
}

TEST(JudgingFiles, AreThoseOfThatNameWhereTheFolderIsNotKnown) {
  EXPECT_THAT(judging_files("cd tools && ./check.py"), Contains("**/check.py"));
  EXPECT_THAT(judging_files("$PWD/tools/check.sh"), Contains("**/check.sh"));
}

TEST(JudgingFiles, AreTheBuildFilesWhereTheyRunTheTests) {
  EXPECT_THAT(judging_files("make check"), Contains("Makefile"));
  EXPECT_THAT(judging_files("ctest --test-dir build"), Contains("**/CMakeLists.txt"));
}

TEST(JudgingFiles, AreWhatTheToolReadsWithoutBeingTold) {
  EXPECT_THAT(judging_files("make check"), Contains("**/*.mk"));
  EXPECT_THAT(judging_files("cmake --build build -t check"), Contains("**/*.cmake"));
  EXPECT_THAT(judging_files("pytest -q"), Contains("**/conftest.py"));
  EXPECT_THAT(judging_files("python3 -m unittest discover -s tests"),
              testing::AllOf(Contains("**/unittest.py"), Contains("**/unittest/**")));
}

std::string objection(const std::string& path, const std::string& old_mode) {
  Repository::PatchPolicy policy;
  policy.edit.allow = {"**"};
  policy.protected_globs = {"tests/check.py", "check.py", "**/conftest.py"};
  const auto judged =
      PatchJudge(policy, "").judge({{old_mode, "100644", "", "", path}}, {"tests/app.py"});
  return judged ? "" : judged.error().message;
}

TEST(PatchJudge, LetsNoModuleComeToBeThatAScriptOfTheJudgeWouldFindFirst) {
  EXPECT_THAT(objection("tests/hashlib.py", "000000"), testing::HasSubstr("beside a script"));
  EXPECT_THAT(objection("tests/json/__init__.py", "000000"), testing::HasSubstr("beside a script"));
  EXPECT_EQ(objection("tests/app.py", "100644"), "") << "it was there and is no judge's";
  EXPECT_EQ(objection("tests/notes.txt", "000000"), "");
  EXPECT_EQ(objection("fast.py", "000000"), "");
  EXPECT_EQ(objection("src/fast.py", "000000"), "");
}

// `cat *.c | ./app` measures on the sources; they stay what a patch may edit.
TEST(JudgingFiles, AreNotPatterns) {
  EXPECT_THAT(judging_files("cat *.c src/[ab].c | ./app --flag $HOME"),
              testing::AllOf(Not(Contains("*.c")), Not(Contains("src/[ab].c")), Contains("app"),
                             Not(Contains("--flag"))));
}

}  // namespace
}  // namespace arbor::workspace
