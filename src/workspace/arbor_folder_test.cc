// SPDX-License-Identifier: Apache-2.0
#include "workspace/arbor_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workspace/build_cache.h"
#include "workspace/repository_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A program whose .arbor came from somebody else.
class ArborFolder : public RepositoryFixture {
 protected:
  ArborFolder() { make_repository(top(), {{"a.c", "1\n"}}); }

  fs::path top() const { return scratch() / "p"; }
  fs::path arbor() const { return top() / ".arbor"; }
  fs::path elsewhere() const { return scratch() / "elsewhere"; }

  // How it is refused, opening the repository included; empty where it is not.
  std::string refusal() const {
    const std::string before = fs::exists(elsewhere()) ? fingerprint(elsewhere()) : "";
    const auto checked = check_arbor_folder(arbor());
    const auto opened = Repository::open(top(), arbor());
    EXPECT_EQ(fs::exists(elsewhere()) ? fingerprint(elsewhere()) : "", before);
    EXPECT_EQ(checked.has_value(), opened.has_value());
    if (checked) return "";
    EXPECT_EQ(checked.error(), opened.error());
    EXPECT_EQ(checked.error().kind, base::ErrorKind::kUsage);
    return checked.error().message;
  }
};

TEST_F(ArborFolder, OfItsOwnIsMadeAndTakenUpAgain) {
  EXPECT_EQ(refusal(), "");
  ASSERT_TRUE(fs::is_directory(arbor() / "git"));
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(run_in(top(), {"git", "status", "--porcelain"}), "");
}

TEST_F(ArborFolder, ThatIsTrackedIsRefusedInHeadAndInTheIndexAndInASubfolder) {
  put(arbor() / "git/HEAD", "ref: refs/heads/main\n");
  run_in(top(), {"git", "add", "-f", ".arbor"});
  EXPECT_THAT(refusal(), AllOf(HasSubstr(".arbor/git/HEAD' is tracked"), HasSubstr("git rm -r")));
  EXPECT_FALSE(fs::exists(arbor() / ".gitignore")) << "nothing is written";
  run_in(top(), {"git", "commit", "-q", "-m", "hostile"});
  run_in(top(), {"git", "rm", "-q", "-r", "--cached", ".arbor"});
  EXPECT_THAT(refusal(), HasSubstr("is tracked")) << "HEAD still holds it";
  fs::remove_all(arbor());
  EXPECT_THAT(refusal(), HasSubstr("is tracked")) << "a checkout would bring it back";
  EXPECT_FALSE(fs::exists(arbor()));
  run_in(top(), {"git", "commit", "-q", "-m", "without"});
  EXPECT_EQ(refusal(), "");

  const fs::path below = top() / "sub";
  put(below / ".arbor/campaign.db", "");
  run_in(top(), {"git", "add", "-f", "sub/.arbor"});
  EXPECT_FALSE(check_arbor_folder(below / ".arbor"));
  EXPECT_TRUE(check_arbor_folder(arbor())) << "another program's";
}

TEST_F(ArborFolder, ThatIsALinkOrAFileIsRefused) {
  put(elsewhere() / "photo", "x");
  fs::create_directory_symlink(elsewhere(), arbor());
  EXPECT_THAT(refusal(), AllOf(HasSubstr("is a symbolic link"), HasSubstr("remove the link")));
  fs::remove(arbor());
  fs::create_symlink(scratch() / "nowhere", arbor());
  EXPECT_THAT(refusal(), HasSubstr("is a symbolic link"));
  EXPECT_FALSE(fs::exists(scratch() / "nowhere"));
  fs::remove(arbor());
  put(arbor(), "x");
  EXPECT_THAT(refusal(), HasSubstr("is no folder"));
}

TEST_F(ArborFolder, ThatHoldsALinkOrAPipeInPlaceOfItsOwnIsRefused) {
  put(elsewhere() / "photo", "x");
  ASSERT_EQ(refusal(), "");
  for (const char* name : {".gitignore",
                           "git",
                           "git/config",
                           "git/HEAD",
                           "git/objects",
                           "git/objects/info",
                           "git/objects/info/alternates",
                           "git/info",
                           "git/info/exclude",
                           "trees",
                           "tmp",
                           "scratch",
                           "objects",
                           "objects/ab",
                           "archive",
                           "archive/1",
                           "campaign.db",
                           "campaign.db-wal",
                           "lock",
                           "report",
                           "report/report.md",
                           "export",
                           "ccache",
                           "synthetic",
                           "whatever"}) {
    fs::remove_all(arbor());
    fs::create_directories((arbor() / name).parent_path());
    const bool is_file = fs::path(name).has_extension();
    fs::create_symlink(is_file ? elsewhere() / "photo" : elsewhere(), arbor() / name);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(std::string(".arbor/") + name + "' is a symbolic link"),
                                 HasSubstr("remove it")));
  }
  fs::remove_all(arbor());
  fs::create_directories(arbor());
  ASSERT_EQ(::mkfifo((arbor() / "lock").c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("neither a file nor a folder"));
}

TEST_F(ArborFolder, ThatHoldsAFileWithAnotherNameElsewhereIsRefused) {
  put(elsewhere() / "photo", "x");
  for (const char* name : {".gitignore", "in-use", "campaign.db", "git/config", "git/HEAD"}) {
    fs::remove_all(arbor());
    fs::create_directories((arbor() / name).parent_path());
    fs::create_hard_link(elsewhere() / "photo", arbor() / name);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(name), HasSubstr("has 2 names (hard links)")));
    fs::remove(elsewhere() / "photo");
    EXPECT_EQ(refusal(), "") << "its only name";
    put(elsewhere() / "photo", "x");
  }
}

TEST_F(ArborFolder, OfAnotherUserIsRefused) {
  fs::create_directories(arbor());
  if (::chown(arbor().c_str(), 65533, 65533) != 0) GTEST_SKIP() << "only root gives folders away";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("belongs to user 65533"), HasSubstr("move the folder")));
}

TEST_F(ArborFolder, WhoseGitIsForeignRunsNothingOfIt) {
  const fs::path proof = scratch() / "executed", git = arbor() / "git";
  const std::string touch = "touch " + proof.string();
  const std::string filters = "[filter \"x\"]\n\tclean = " + touch + "; cat\n\tsmudge = " + touch +
                              "; cat\n\trequired = true\n[core]\n\tfsmonitor = " + touch + "\n";
  make_repository(top(), {{".gitattributes", "*.c filter=x\n"}});
  for (const bool is_redirected : {false, true}) {
    fs::remove_all(arbor());
    run_in(scratch(), {"git", "init", "-q", "--bare", git.string()});
    const std::string plain = text_of(git / "config");
    put(scratch() / "more", filters);
    put(git / "config", plain + filters + "[include]\n\tpath = " + (scratch() / "more").string());
    put(git / "config.worktree", filters);
    put(git / "info/attributes", "* filter=x\n");
    put(git / "hooks/post-index-change", "#!/bin/sh\n" + touch + "\n");
    fs::permissions(git / "hooks/post-index-change", fs::perms::all);
    if (is_redirected) {
      fs::copy(git, scratch() / "common", fs::copy_options::recursive);
      put(git / "commondir", (scratch() / "common").string() + "\n");
    }
    put(top() / "a.c", "2\n");
    const auto repository = open_in(top());
    EXPECT_THAT(*repository.dirty_files(), testing::ElementsAre("a.c"));
    const auto base = *repository.baseline_commit(true);
    ASSERT_TRUE(repository.checkout(base, scratch() / "tree"));
    EXPECT_EQ(text_of(scratch() / "tree/a.c"), "2\n");
    EXPECT_FALSE(fs::exists(proof)) << is_redirected;
    fs::remove_all(scratch() / "tree");
  }
}

TEST_F(ArborFolder, HoldsNothingButEntriesThatAreRemovedAsOldTrees) {
  const fs::path trees = arbor() / "trees", photos = scratch() / "photos";
  const std::string hash(32, 'a');
  put(photos / "one", "x");
  for (const fs::path& folder :
       {trees / "photos", trees / (hash + "x"), trees / std::string(32, 'B')})
    put(folder / "tree/one", "x");
  put(trees / std::string(32, 'c') / "mail", "no entry");
  put(trees / std::string(32, 'd'), "a file");
  fs::create_directory_symlink(photos, trees / std::string(32, 'e'));
  put(trees / hash / "tree/a.c", "an entry that was never finished");
  fs::create_directories(trees / (hash + "-confirm-1-1"));  // cut short while it was removed
  const std::string photographed = fingerprint(photos);
  BuildCache(trees, top()).keep_only({});
  EXPECT_FALSE(fs::exists(trees / hash));
  EXPECT_FALSE(fs::exists(trees / (hash + "-confirm-1-1")));
  EXPECT_EQ(std::distance(fs::directory_iterator(trees), {}), 6);
  EXPECT_EQ(fingerprint(photos), photographed);

  put(scratch() / "home" / hash / "tree/a.c", "x");
  fs::create_directory_symlink(scratch() / "home", scratch() / "link");
  BuildCache(scratch() / "link", top()).keep_only({});
  EXPECT_TRUE(fs::exists(scratch() / "home" / hash / "tree/a.c")) << "reached by a link";
}

}  // namespace
}  // namespace arbor::workspace
