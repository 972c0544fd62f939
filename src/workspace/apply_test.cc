// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "workspace/patch_scan.h"
#include "workspace/repository_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Apply : public RepositoryFixture {
 protected:
  Apply() {
    make_repository(scratch() / "p", {{"src/a.c", "one\ntwo\nthree\n"},
                                      {"src/crlf.c", "one\r\ntwo\r\n"},
                                      {"src/ü b.c", "x\n"},
                                      {"tests/t.c", "t\n"},
                                      {"arbor.toml", "schema = 1\n"},
                                      {".gitignore", "*.o\n"},
                                      {"docs/readme", "r\n"}});
    fs::create_symlink("src", scratch() / "p/link");
    run_in(scratch() / "p", {"git", "add", "-A"});
    run_in(scratch() / "p", {"git", "commit", "-qm", "link"});
    repository_.emplace(open_in(scratch() / "p"));
    base_ = *repository_->baseline_commit(false);
    policy_.edit.deny = {"docs"};
    policy_.protected_globs = {"tests/**"};
  }

  std::string refusal(const std::string& diff) {
    const auto applied = repository_->apply(base_, diff, "m", policy_);
    if (applied) return "applied: " + testing::PrintToString(applied->files);
    EXPECT_EQ(applied.error().kind, base::ErrorKind::kUsage) << applied.error().message;
    return applied.error().message;
  }
  static std::string new_file(const std::string& path, const std::string& mode = "100644") {
    return "diff --git a/" + path + " b/" + path + "\nnew file mode " + mode +
           "\n--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n";
  }
  static std::string edit(const std::string& path, const std::string& from) {
    return "--- a/" + path + "\t\n+++ b/" + path + "\t\n@@ -1 +1 @@\n-" + from + "\n+changed\n";
  }

  std::optional<Repository> repository_;
  Repository::PatchPolicy policy_;
  std::string base_;
};

TEST_F(Apply, APlainPatchBecomesACommitThatIsEqualEachTime) {
  const std::string patch =
      "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n" +
      new_file("src/new.c");
  const auto first = repository_->apply(base_, patch, "Use a digit", policy_);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_THAT(first->files, ElementsAre("src/a.c", "src/new.c"));
  EXPECT_EQ(repository_->apply(base_, patch, "Use a digit", policy_)->commit, first->commit);
  EXPECT_EQ(*repository_->read_file(first->commit, "src/a.c"), "one\n2\nthree\n");
  EXPECT_EQ(run_in(scratch() / "p", {"git", "status", "--porcelain"}), "");
}

TEST_F(Apply, WrongLineCountsAreRecountedAndLineEndsKept) {
  const auto applied = repository_->apply(
      base_, "--- a/src/crlf.c\n+++ b/src/crlf.c\n@@ -1,9 +1,7 @@\n one\r\n-two\r\n+2\r\n", "m",
      policy_);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(*repository_->read_file(applied->commit, "src/crlf.c"), "one\r\n2\r\n");
}

TEST_F(Apply, AHunkThatDoesNotMatchIsRefusedWithGitsWords) {
  EXPECT_THAT(refusal("--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-nothing\n+x\n"),
              HasSubstr("does not apply"));
}

TEST_F(Apply, PathsThatLeaveTheTreeAreRefused) {
  EXPECT_THAT(refusal(new_file("../out.c")), HasSubstr("leaves the tree"));
  EXPECT_THAT(refusal(new_file("src/../../out.c")), HasSubstr("leaves the tree"));
  EXPECT_THAT(refusal("--- /dev/null\n+++ /etc/passwd\n@@ -0,0 +1 @@\n+x\n"), HasSubstr("refused"));
  EXPECT_THAT(refusal(new_file("/etc/x")), HasSubstr("absolute"));
}

TEST_F(Apply, GitsOwnFilesAreRefusedInAnyCaseAndFolder) {
  for (const char* path :
       {".git/config", ".GIT/config", "src/.git/hooks/pre-commit", "git~1/config"})
    EXPECT_THAT(refusal(new_file(path)), HasSubstr("lies in .git")) << path;
  for (const char* path : {".gitattributes", "src/.gitattributes", ".gitmodules", ".GitAttributes",
                           ".github/workflows/x.yml", ".gitlab-ci.yml", ".ci/run",
                           ".arbor/git/config", "src/arbor.toml", "ARBOR.toml"})
    EXPECT_THAT(refusal(new_file(path)), HasSubstr("never edited")) << path;
  EXPECT_THAT(refusal(edit("arbor.toml", "schema = 1")), HasSubstr("never edited"));
  EXPECT_THAT(refusal(edit(".gitignore", "*.o")), HasSubstr("never edited"));
}

TEST_F(Apply, LinksSubmodulesAndSpecialModesAreRefused) {
  EXPECT_THAT(refusal(new_file("src/l", "120000")), HasSubstr("symbolic link"));
  EXPECT_THAT(refusal(new_file("src/l", "160000")), HasSubstr("submodule"));
  EXPECT_THAT(refusal(new_file("src/l", "104755")), HasSubstr("mode 104755"));
  EXPECT_THAT(refusal(new_file("link/through.c")), HasSubstr("link"));
  EXPECT_THAT(refusal("diff --git a/link b/link\n--- a/link\n+++ b/link\n@@ -1 +1 @@\n-src\n\\ No "
                      "newline at end of file\n+/etc\n\\ No newline at end of file\n"),
              HasSubstr("symbolic link"));
  EXPECT_THAT(refusal("diff --git a/src/a.c b/src/a.c\nold mode 100644\nnew mode 100755\n"),
              HasSubstr("applied"))
      << "an executable bit is a plain change";
}

TEST_F(Apply, TheJudgeAndWhatTheManifestDeniesAreRefused) {
  EXPECT_THAT(refusal(edit("tests/t.c", "t")), HasSubstr("belongs to the judge"));
  EXPECT_THAT(refusal(new_file("tests/extra.c")), HasSubstr("belongs to the judge"));
  EXPECT_THAT(refusal(new_file("Tests/extra.c")), HasSubstr("belongs to the judge"));
  EXPECT_THAT(refusal(edit("docs/readme", "r")), HasSubstr("denied by [edit] deny"));
  EXPECT_THAT(
      refusal("diff --git a/src/a.c b/tests/a.c\nsimilarity index 100%\nrename from src/a.c\n"
              "rename to tests/a.c\n"),
      HasSubstr("belongs to the judge"));
  EXPECT_THAT(
      refusal("diff --git a/tests/t.c b/src/t.c\nsimilarity index 100%\nrename from tests/t.c\n"
              "rename to src/t.c\n"),
      HasSubstr("belongs to the judge"));
  policy_.edit.allow = {"src/*.h"};
  EXPECT_THAT(refusal(edit("src/ü b.c", "x")), HasSubstr("not in [edit] allow"));
}

TEST_F(Apply, BinaryEmptyHugeAndEffectlessPatchesAreRefused) {
  EXPECT_THAT(
      refusal("diff --git a/src/x b/src/x\nnew file mode 100644\nindex 000..111\nGIT binary "
              "patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n"),
      HasSubstr("binary"));
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal(std::string("--- a/x\0\n", 9)), HasSubstr("NUL"));
  EXPECT_THAT(refusal(std::string(kMaxPatchBytes + 1, '+')), HasSubstr("bytes"));
  std::string many;
  for (int i = 0; i < 201; ++i) many += new_file("src/n" + std::to_string(i) + ".c");
  EXPECT_THAT(refusal(many), HasSubstr("more than 200 files"));
  EXPECT_THAT(refusal("--- a/src/a.c\n+++ b/src/a.c\n@@ -1,2 +1,2 @@\n-one\n+one\n two\n"),
              HasSubstr("changes nothing"));
}

TEST_F(Apply, NamesThatDifferOnlyInCaseAreRefused) {
  EXPECT_THAT(refusal(new_file("src/A.c")), HasSubstr("differs only in case from 'src/a.c'"));
  EXPECT_THAT(refusal(new_file("src/q.c") + new_file("src/Q.c")), HasSubstr("only in case"));
}

TEST_F(Apply, LinesInsideOfAHunkThatLookLikeHeadersAreNotHeaders) {
  const auto applied = repository_->apply(
      base_, "--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,4 @@\n one\n+++ /etc/passwd\n two\n three\n",
      "m", policy_);
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_THAT(applied->files, ElementsAre("src/a.c"));
}

TEST_F(Apply, ASubFolderProgramEditsOnlyItselfUnlessToldOtherwise) {
  make_repository(scratch() / "mono", {{"app [1]/a.c", "a\n"}, {"lib/l.c", "l\n"}});
  repository_.emplace(open_in(scratch() / "mono/app [1]"));
  base_ = *repository_->baseline_commit(false);
  EXPECT_THAT(refusal(edit("app [1]/a.c", "a")), HasSubstr("applied"));
  EXPECT_THAT(refusal(edit("lib/l.c", "l")), HasSubstr("not in [edit] allow"));
  policy_.edit.allow = {"**", "../lib/**"};
  EXPECT_THAT(refusal(edit("lib/l.c", "l")), HasSubstr("applied"));
}

// What `git diff --relative` prints.
TEST_F(Apply, PathsMayBeRelativeToTheProgramsFolder) {
  const fs::path top = scratch() / "many";
  const std::string tools = "tools/a b";
  make_repository(top, {{"main.c", "1\n"}, {tools + "/main.c", "1\n"}, {tools + "/x/in.c", "1\n"}});
  const auto repository = open_in(top / tools);
  const auto base = *repository.baseline_commit(false);
  const auto files_of = [&](const std::string& diff) {
    const auto applied = repository.apply(base, diff, "m", {});
    return applied ? applied->files : std::vector<std::string>{applied.error().message};
  };
  const auto edit = [](const std::string& path) {
    return "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-1\n+2\n";
  };
  EXPECT_THAT(files_of(edit("x/in.c")), ElementsAre(tools + "/x/in.c"));
  EXPECT_THAT(files_of(edit("x/in.c") + new_file("x/new.c")),
              ElementsAre(tools + "/x/in.c", tools + "/x/new.c"));
  EXPECT_THAT(files_of(edit(tools + "/x/in.c")), ElementsAre(tools + "/x/in.c"));
  EXPECT_THAT(files_of(edit("main.c")), ElementsAre(HasSubstr("'main.c' is not in [edit] allow")))
      << "there is one at the top";
  EXPECT_THAT(files_of(new_file("x/new.c")), ElementsAre(HasSubstr("'x/new.c' is not in")))
      << "nothing tells";
  EXPECT_THAT(files_of(edit("absent.c")).front(), HasSubstr("does not apply"));
  const auto denied = repository.apply(base, edit("x/in.c"), "m", {{}, {"x/**"}});
  EXPECT_FALSE(denied) << "the rules are those of the program's folder";
}

}  // namespace
}  // namespace arbor::workspace
