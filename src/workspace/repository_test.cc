// SPDX-License-Identifier: Apache-2.0
#include "workspace/repository.h"

#include <gmock/gmock.h>

#include "workspace/repository_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

using RepositoryOpening = RepositoryFixture;
using Snapshot = RepositoryFixture;
using Checkout = RepositoryFixture;
using BranchDiff = RepositoryFixture;
using ExportBranch = RepositoryFixture;
using HostileRepository = RepositoryFixture;

TEST_F(RepositoryOpening, AFolderOutsideOfGitIsRefusedWithTheNextStep) {
  fs::create_directories(scratch() / "plain");
  const auto opened = Repository::open(scratch() / "plain", scratch() / "plain/.arbor");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(opened.error().message, HasSubstr("git init"));
}

TEST_F(RepositoryOpening, ABareRepositoryAndAGitFolderAreRefusedWithTheNextStep) {
  make_repository(scratch() / "p", {{"a.c", "1\n"}});
  run_in(scratch(), {"git", "clone", "-q", "--bare", "p", "bare"});
  for (const auto& [folder, advice] : std::map<fs::path, std::string>{
           {scratch() / "bare", "git clone"}, {scratch() / "p/.git", "inside of a .git folder"}}) {
    const auto checked = Repository::check_program(folder);
    ASSERT_FALSE(checked) << folder;
    EXPECT_THAT(checked.error().message, HasSubstr(advice));
    EXPECT_EQ(checked.error().message, Repository::open(folder, folder / ".arbor").error().message);
    EXPECT_FALSE(fs::exists(folder / ".arbor"));
  }
  EXPECT_TRUE(Repository::check_program(scratch() / "p"));
}

TEST_F(RepositoryOpening, ARepositoryWithoutACommitIsRefused) {
  fs::create_directories(scratch() / "new");
  run_in(scratch() / "new", {"git", "init", "-q"});
  const auto opened = Repository::open(scratch() / "new", scratch() / "new/.arbor");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("no commit yet"));
}

TEST_F(RepositoryOpening, ASubFolderProgramKnowsItsPlaceAndTheArborFolderStaysUnseen) {
  const fs::path top = scratch() / "dir with spaces/ünïcode";
  make_repository(top, {{"app/ä b/main.c", "int main(){}\n"}, {"lib/x.c", "\n"}});
  const auto repository = open_in(top / "app/ä b");
  EXPECT_EQ(repository.toplevel(), top);
  EXPECT_EQ(repository.program_folder(), "app/ä b");
  EXPECT_EQ(run_in(top, {"git", "status", "--porcelain"}), "");
  EXPECT_EQ(*repository.read_file(*repository.baseline_commit(false), "lib/x.c"), "\n");
  const auto absent = repository.read_file(*repository.baseline_commit(false), "lib/y.c");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::kNotFound);
}

TEST_F(RepositoryOpening, LinkedWorktreesAndShallowClonesWork) {
  make_repository(scratch() / "main", {{"a.txt", "1\n"}});
  put(scratch() / "main/a.txt", "2\n");
  run_in(scratch() / "main", {"git", "commit", "-qam", "second"});
  run_in(scratch() / "main", {"git", "worktree", "add", "-q", "-b", "side", "../linked"});
  run_in(scratch(),
         {"git", "clone", "-q", "--depth=1", "file://" + (scratch() / "main").string(), "shallow"});
  for (const char* name : {"linked", "shallow"}) {
    put(scratch() / name / "a.txt", "dirty\n");
    const auto repository = open_in(scratch() / name);
    const auto commit = repository.baseline_commit(true);
    ASSERT_TRUE(commit) << commit.error().message;
    ASSERT_TRUE(repository.checkout(*commit, scratch() / "out" / name));
    EXPECT_EQ(text_of(scratch() / "out" / name / "a.txt"), "dirty\n");
  }
}

TEST_F(Snapshot, DirtyFilesAreThoseThatGitWouldCommit) {
  const fs::path top = scratch() / "p";
  make_repository(top,
                  {{"a.txt", "1\n"}, {"b.txt", "1\n"}, {"c.txt", "1\n"}, {".gitignore", "*.o\n"}});
  put(top / "a.txt", "2\n");
  fs::remove(top / "b.txt");
  put(top / "new file.txt", "n\n");
  put(top / "x.o", "ignored");
  make_repository(top / "nested", {{"n.txt", "\n"}});
  const std::string before = fingerprint(top);
  const auto repository = open_in(top);
  EXPECT_THAT(*repository.dirty_files(), ElementsAre("a.txt", "b.txt", "new file.txt"));
  const auto commit = *repository.baseline_commit(true);
  EXPECT_EQ(*repository.baseline_commit(true), commit) << "the same state gives the same commit";
  EXPECT_NE(commit, *repository.baseline_commit(false));
  EXPECT_EQ(*repository.read_file(commit, "a.txt"), "2\n");
  EXPECT_FALSE(repository.read_file(commit, "b.txt"));
  EXPECT_FALSE(repository.read_file(commit, "x.o"));
  EXPECT_EQ(fingerprint(top), before);
}

TEST_F(Snapshot, HoldsWhatWasChangedInsideOfSubmodulesAtAnyDepth) {
  make_repository(scratch() / "inner", {{"i.c", "inner\n"}, {"kept.c", "kept\n"}});
  make_repository(scratch() / "middle", {{"m ü.c", "middle\n"}, {".gitignore", "*.o\n"}});
  run_in(scratch() / "middle", {"git", "submodule", "--quiet", "add", "../inner", "in ner"});
  run_in(scratch() / "middle", {"git", "commit", "-qm", "sub"});
  const fs::path top = scratch() / "p";
  make_repository(top, {{"a.c", "a\n"}});
  run_in(top, {"git", "submodule", "--quiet", "add", "../middle", "third party/mid"});
  run_in(top, {"git", "submodule", "--quiet", "update", "--init", "--recursive"});
  run_in(top, {"git", "commit", "-qm", "sub"});
  const fs::path middle = top / "third party/mid";
  put(middle / "in ner/i.c", "changed\n");
  put(middle / "new ö.c", "new\n");
  put(middle / "ignored.o", "object");
  fs::remove(middle / "m ü.c");
  const std::string before = fingerprint(top);

  const auto repository = open_in(top);
  EXPECT_THAT(*repository.dirty_files(), ElementsAre("third party/mid"));
  const auto commit = *repository.baseline_commit(true);
  EXPECT_EQ(*repository.baseline_commit(true), commit) << "the same state gives the same commit";
  const auto done = repository.checkout(commit, scratch() / "out");
  ASSERT_TRUE(done) << done.error().message;
  const fs::path out = scratch() / "out/third party/mid";
  EXPECT_EQ(text_of(out / "in ner/i.c"), "changed\n");
  EXPECT_EQ(text_of(out / "in ner/kept.c"), "kept\n");
  EXPECT_EQ(text_of(out / "new ö.c"), "new\n");
  EXPECT_FALSE(fs::exists(out / "m ü.c"));
  EXPECT_FALSE(fs::exists(out / "ignored.o"));
  EXPECT_EQ(fingerprint(top), before) << "the user's repositories are as they were";
}

TEST_F(Snapshot, OfAProgramThatIsItselfASubmodule) {
  make_repository(scratch() / "inner", {{"i.c", "inner\n"}});
  make_repository(scratch() / "outer", {{"a.c", "a\n"}});
  run_in(scratch() / "outer", {"git", "submodule", "--quiet", "add", "../inner", "in"});
  run_in(scratch() / "outer", {"git", "commit", "-qm", "sub"});
  put(scratch() / "outer/in/i.c", "dirty\n");
  const auto repository = open_in(scratch() / "outer/in");
  EXPECT_EQ(repository.toplevel(), scratch() / "outer/in");
  EXPECT_THAT(*repository.dirty_files(), ElementsAre("i.c"));
  ASSERT_TRUE(repository.checkout(*repository.baseline_commit(true), scratch() / "out"));
  EXPECT_EQ(text_of(scratch() / "out/i.c"), "dirty\n");
}

TEST_F(Snapshot, OfAProgramInASubFolderHoldsTheWholeRepositoryWithOddNames) {
  const fs::path top = scratch() / "größe & co";
  make_repository(top, {{"app ä/main.c", "1\n"}, {"lib/x.c", "1\n"}});
  put(top / "app ä/ein 'neues' \"ding\".c", "n\n");
  put(top / "lib/zeile\nzwei.c", "z\n");
  put(top / "lib/x.c", "2\n");
  const auto repository = open_in(top / "app ä");
  EXPECT_THAT(*repository.dirty_files(),
              ElementsAre("app ä/ein 'neues' \"ding\".c", "lib/x.c", "lib/zeile\nzwei.c"));
  ASSERT_TRUE(repository.checkout(*repository.baseline_commit(true), scratch() / "out"));
  EXPECT_EQ(text_of(scratch() / "out/app ä/ein 'neues' \"ding\".c"), "n\n");
  EXPECT_EQ(text_of(scratch() / "out/lib/zeile\nzwei.c"), "z\n");
  EXPECT_EQ(text_of(scratch() / "out/lib/x.c"), "2\n");
}

TEST_F(Snapshot, ACleanTreeIsItsHead) {
  make_repository(scratch() / "p", {{"a.txt", "1\n"}});
  const auto repository = open_in(scratch() / "p");
  EXPECT_EQ(*repository.baseline_commit(true), *repository.baseline_commit(false));
  EXPECT_TRUE(repository.dirty_files()->empty());
}

TEST_F(Snapshot, WhatASparseCheckoutLeavesOutIsNotDeleted) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"in/a.txt", "1\n"}, {"out/b.txt", "1\n"}});
  run_in(top, {"git", "sparse-checkout", "set", "in"});
  ASSERT_FALSE(fs::exists(top / "out/b.txt"));
  EXPECT_TRUE(open_in(top).dirty_files()->empty());
}

TEST_F(Checkout, HoldsFilesModesAndLinksAndDescribesEquallyInEveryArm) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"src/ü b.c", "int x;\n"}, {"run.sh", "#!/bin/sh\n"}});
  fs::permissions(top / "run.sh", fs::perms::owner_exec, fs::perm_options::add);
  fs::create_symlink("src", top / "link");
  run_in(top, {"git", "add", "-A"});
  run_in(top, {"git", "commit", "-qm", "second"});
  run_in(top, {"git", "tag", "-a", "-m", "v", "v1.2"});
  const auto repository = open_in(top);
  const auto base = *repository.baseline_commit(false);
  const auto patched = repository.apply(
      base, "--- a/src/ü b.c\t\n+++ b/src/ü b.c\t\n@@ -1 +1 @@\n-int x;\n+int y;\n", "change", {});
  ASSERT_TRUE(patched) << patched.error().message;
  ASSERT_TRUE(repository.checkout(base, scratch() / "one"));
  ASSERT_TRUE(repository.checkout(patched->commit, scratch() / "two"));
  EXPECT_EQ(text_of(scratch() / "two/src/ü b.c"), "int y;\n");
  EXPECT_TRUE(fs::is_symlink(scratch() / "one/link"));
  EXPECT_NE(fs::status(scratch() / "one/run.sh").permissions() & fs::perms::owner_exec,
            fs::perms::none);
  for (const char* arm : {"one", "two"})
    EXPECT_EQ(run_in(scratch() / arm, {"git", "describe", "--dirty", "--tags"}), "v1.2\n");
  EXPECT_EQ(run_in(scratch() / "one", {"git", "rev-parse", "HEAD"}),
            run_in(scratch() / "two", {"git", "rev-parse", "HEAD"}));
  EXPECT_EQ(run_in(scratch() / "one", {"git", "show", "HEAD:src/ü b.c"}), "int x;\n");
  EXPECT_FALSE(repository.checkout(base, scratch() / "one")) << "never over an existing folder";
}

TEST_F(Checkout, MovingTouchesOnlyWhatDiffersAndNeverFollowsALinkOut) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"a/x.c", "1\n"}, {"b/y.c", "1\n"}, {"gone/z.c", "1\n"}});
  const auto first = *open_in(top).baseline_commit(false);
  put(top / "a/x.c", "2\n");
  fs::remove_all(top / "gone");
  run_in(top, {"git", "add", "-A"});
  run_in(top, {"git", "commit", "-qm", "second"});
  const auto repository = open_in(top);
  const auto second = *repository.baseline_commit(false);
  const fs::path tree = scratch() / "tree", outside = scratch() / "outside";
  ASSERT_TRUE(repository.checkout(first, tree));
  const auto untouched = fs::last_write_time(tree / "b/y.c");
  // A build could have put links where the folders were.
  put(outside / "x.c", "precious\n");
  put(outside / "z.c", "precious\n");
  fs::remove_all(tree / "a");
  fs::create_directory_symlink(outside, tree / "a");
  fs::remove_all(tree / "gone");
  fs::create_directory_symlink(outside, tree / "gone");
  ASSERT_TRUE(repository.move_checkout(tree, first, second));
  EXPECT_EQ(text_of(tree / "a/x.c"), "2\n");
  EXPECT_EQ(text_of(outside / "x.c"), "precious\n");
  EXPECT_EQ(text_of(outside / "z.c"), "precious\n");
  EXPECT_EQ(fs::last_write_time(tree / "b/y.c"), untouched);
}

TEST_F(Checkout, SubmodulesAreMaterialisedAtAnyDepthWithoutTheirGit) {
  make_repository(scratch() / "inner", {{"i.c", "inner\n"}});
  make_repository(scratch() / "middle", {{"m.c", "middle\n"}});
  run_in(scratch() / "middle", {"git", "submodule", "--quiet", "add", "../inner", "in"});
  run_in(scratch() / "middle", {"git", "commit", "-qm", "sub"});
  make_repository(scratch() / "p", {{"a.c", "a\n"}});
  run_in(scratch() / "p", {"git", "submodule", "--quiet", "add", "../middle", "third party/mid"});
  run_in(scratch() / "p", {"git", "submodule", "--quiet", "update", "--init", "--recursive"});
  run_in(scratch() / "p", {"git", "commit", "-qm", "sub"});
  const auto repository = open_in(scratch() / "p");
  EXPECT_TRUE(repository.dirty_files()->empty());
  const auto done = repository.checkout(*repository.baseline_commit(false), scratch() / "out");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(text_of(scratch() / "out/third party/mid/m.c"), "middle\n");
  EXPECT_EQ(text_of(scratch() / "out/third party/mid/in/i.c"), "inner\n");
  EXPECT_FALSE(fs::exists(scratch() / "out/third party/mid/.git"));
}

TEST_F(Checkout, LargeFilesComeFromTheUsersStoreAndAreNotDirty) {
  const fs::path top = scratch() / "p";
  const std::string content = "a large file\n";
  put(scratch() / "content", content);
  const std::string name = run_in(scratch(), {"sha256sum", "content"}).substr(0, 64);
  make_repository(top, {{".gitattributes", "*.bin filter=lfs\n"},
                        {"w.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:" + name +
                                      "\nsize " + std::to_string(content.size()) + "\n"}});
  put(top / ".git/lfs/objects" / name.substr(0, 2) / name.substr(2, 2) / name, content);
  put(top / "w.bin", content);
  const auto repository = open_in(top);
  EXPECT_TRUE(repository.dirty_files()->empty());
  ASSERT_TRUE(repository.checkout(*repository.baseline_commit(true), scratch() / "out"));
  EXPECT_EQ(text_of(scratch() / "out/w.bin"), content);
}

TEST_F(BranchDiff, IsWhatABranchDidSinceItLeftHead) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"sub/a.c", "1\n"}, {"b.c", "1\n"}});
  run_in(top, {"git", "checkout", "-qb", "side"});
  put(top / "sub/a.c", "2\n");
  run_in(top, {"git", "commit", "-qam", "faster"});
  run_in(top, {"git", "tag", "v1"});
  const std::string tip = run_in(top, {"git", "rev-parse", "--short", "HEAD"});
  run_in(top, {"git", "checkout", "-q", "-"});
  put(top / "b.c", "2\n");
  run_in(top, {"git", "commit", "-qam", "meanwhile"});
  const auto repository = open_in(top / "sub");
  for (const std::string& name : {std::string("side"), std::string("v1"), tip.substr(0, 7)}) {
    const auto diff = repository.diff_since_head(name);
    ASSERT_TRUE(diff) << diff.error().message;
    EXPECT_THAT(*diff, HasSubstr("+++ b/sub/a.c"));
    EXPECT_FALSE(diff->contains("b.c\n@@")) << "what HEAD did meanwhile is not taken back";
    EXPECT_TRUE(repository.apply(*repository.baseline_commit(false), *diff, "side", {}));
  }
}

TEST_F(BranchDiff, OfWhatIsNoBranchOrDidNothingIsRefusedWithTheReason) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"a.c", "1\n"}});
  run_in(top, {"git", "branch", "idle"});
  run_in(top, {"git", "checkout", "-q", "--orphan", "alien"});
  run_in(top, {"git", "commit", "-qm", "another beginning"});
  run_in(top, {"git", "checkout", "-q", "idle"});
  const auto repository = open_in(top);
  const auto refusal = [&](const std::string& name) {
    const auto diff = repository.diff_since_head(name);
    EXPECT_FALSE(diff) << name;
    return diff ? "" : diff.error().message;
  };
  EXPECT_THAT(refusal("no-such"), HasSubstr("git branch -a"));
  EXPECT_THAT(refusal("--exec=touch x"), HasSubstr("no branch"));
  EXPECT_THAT(refusal("alien"), HasSubstr("in common"));
  EXPECT_THAT(refusal("idle"), HasSubstr("changes nothing"));
}

TEST_F(ExportBranch, ANameThatGitRefusesIsRefusedFirst) {
  for (const char* name : {"a..b", "-f", "../x", "../../x", "", "a b", "a~1", "@{-1}", "HEAD",
                           "x.lock", "a\nb", "/a", "a/"}) {
    const auto named = Repository::check_branch_name(name);
    ASSERT_FALSE(named) << name;
    EXPECT_EQ(named.error().kind, base::ErrorKind::kUsage);
    EXPECT_THAT(named.error().message, HasSubstr("no name that git lets a branch have"));
  }
  for (const char* name : {"faster", "arbor/p-20260101-1200", "ü"})
    EXPECT_TRUE(Repository::check_branch_name(name)) << name;
}

TEST_F(RepositoryOpening, APathMayHoldAnyByte) {
  const fs::path top = scratch() / "new\nline \"q\" \\ #\t\x01\xff";
  make_repository(top, {{"a.c", "1\n"}});
  const auto repository = open_in(top);
  EXPECT_EQ(repository.toplevel(), fs::canonical(top));
  put(top / "a.c", "2\n");
  const auto base = *repository.baseline_commit(true);
  const auto patched =
      repository.apply(base, "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-2\n+3\n", "m", {});
  ASSERT_TRUE(patched) << patched.error().message;
  ASSERT_TRUE(repository.checkout(patched->commit, scratch() / "tree"));
  EXPECT_EQ(text_of(scratch() / "tree/a.c"), "3\n");
  EXPECT_TRUE(repository.export_branch("best", patched->commit, false));
}

TEST_F(RepositoryOpening, ACommitThatGitCollectedIsToldPlainly) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"a.c", "1\n"}});
  const std::string kept = run_in(top, {"git", "rev-parse", "HEAD"}).substr(0, 40);
  put(top / "a.c", "2\n");
  run_in(top, {"git", "commit", "-qam", "second"});
  const auto repository = open_in(top);
  const std::string gone = *repository.baseline_commit(false);
  run_in(top, {"git", "commit", "-q", "--amend", "-m", "third"});
  run_in(top, {"git", "reflog", "expire", "--expire=now", "--all"});
  run_in(top, {"git", "gc", "-q", "--prune=now"});
  const std::string patch = "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-2\n+3\n";
  const auto told = [&](const auto& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, base::ErrorKind::kCorrupt);
    EXPECT_THAT(
        result.error().message,
        testing::AllOf(HasSubstr("commit " + gone.substr(0, 12) + " is gone"),
                       HasSubstr("arbor run --fresh"), testing::Not(HasSubstr("code 128"))));
  };
  told(repository.tree_id(gone));
  told(repository.parent_of(gone));
  told(repository.diff(gone, kept));
  told(repository.diff(kept, gone));
  told(repository.read_file(gone, "a.c"));
  told(repository.checkout(gone, scratch() / "tree"));
  told(repository.move_checkout(scratch() / "tree", kept, gone));
  told(repository.apply(gone, patch, "m", {}));
  told(repository.recommit(kept, gone, "m"));
}

TEST_F(ExportBranch, TheUserGainsExactlyOneBranch) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"a.c", "1\n"}});
  const auto repository = open_in(top);
  const auto patched =
      *repository.apply(*repository.baseline_commit(false),
                        "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-1\n+2\n", "Better", {});
  const std::string refs = run_in(top, {"git", "for-each-ref"});
  ASSERT_TRUE(repository.export_branch("arbor/best", patched.commit, false));
  EXPECT_EQ(run_in(top, {"git", "show", "arbor/best:a.c"}), "2\n");
  EXPECT_EQ(run_in(top, {"git", "log", "-1", "--format=%an|%s", "arbor/best"}), "Arbor|Better\n");
  EXPECT_EQ(run_in(top, {"git", "for-each-ref", "refs/heads/main"}), refs);
  EXPECT_EQ(run_in(top, {"git", "status", "--porcelain"}), "");
  run_in(top, {"git", "fsck", "--strict"});

  EXPECT_TRUE(repository.export_branch("arbor/best", patched.commit, false)) << "already there";
  const auto base = *repository.baseline_commit(false);
  const auto refused = repository.export_branch("arbor/best", base, false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("exists already"));
  EXPECT_TRUE(repository.export_branch("arbor/best", base, true));
  EXPECT_FALSE(repository.export_branch("main", patched.commit, true)) << "is checked out";
  EXPECT_FALSE(repository.export_branch("bad..name", base, false));
}

TEST_F(HostileRepository, NothingInItIsExecutedAndItStaysByteForByte) {
  const fs::path top = scratch() / "p", proof = scratch() / "executed";
  const std::string touch = "touch " + proof.string();
  make_repository(
      top, {{"a.c", "1\n"}, {"b.c", "1\n"}, {".gitattributes", "*.c filter=evil diff=evil\n"}});
  run_in(top, {"git", "tag", "v1"});
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"core.fsmonitor", touch},
           {"filter.evil.clean", touch + "; cat"},
           {"filter.evil.smudge", touch + "; cat"},
           {"filter.evil.required", "true"},
           {"diff.evil.textconv", touch + ";cat"},
           {"diff.evil.command", touch},
           {"diff.external", touch},
           {"core.sshCommand", touch},
           {"core.pager", touch},
           {"core.editor", touch},
           {"core.alternateRefsCommand", touch},
           {"core.attributesFile", (scratch() / "attributes").string()},
           {"core.hooksPath", (top / ".git/hooks").string()}})
    run_in(top, {"git", "-c", "core.fsmonitor=false", "config", name, value});
  for (const char* hook :
       {"post-checkout", "pre-commit", "post-commit", "reference-transaction", "post-index-change",
        "pre-auto-gc", "post-rewrite", "fsmonitor-watchman"}) {
    put(top / ".git/hooks" / hook, "#!/bin/sh\n" + touch + "\n");
    fs::permissions(top / ".git/hooks" / hook, fs::perms::all);
  }
  put(top / "a.c", "2\n");
  fs::remove(proof);
  const std::string before = fingerprint(top);

  const auto repository = open_in(top);
  EXPECT_THAT(*repository.dirty_files(), ElementsAre("a.c"));
  const auto base = *repository.baseline_commit(true);
  const auto patched =
      repository.apply(base, "--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n-1\n+3\n", "m", {});
  ASSERT_TRUE(patched) << patched.error().message;
  ASSERT_TRUE(repository.checkout(base, scratch() / "tree"));
  ASSERT_TRUE(repository.move_checkout(scratch() / "tree", base, patched->commit));
  EXPECT_THAT(*repository.diff(base, patched->commit), HasSubstr("+3"));
  EXPECT_EQ(fingerprint(top), before);
  EXPECT_FALSE(fs::exists(proof));

  ASSERT_TRUE(repository.export_branch("best", patched->commit, false));
  EXPECT_FALSE(fs::exists(proof));
}

}  // namespace
}  // namespace arbor::workspace
