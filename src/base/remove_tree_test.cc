// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"

namespace arbor::base {
namespace {
namespace fs = std::filesystem;

class RemoveTree : public testing::Test {
 protected:
  fs::path part(const char* name) const { return scratch_.path() / name; }

  const ScratchDir scratch_ = *ScratchDir::create(fs::temp_directory_path(), "arbor-remove-tree-");
};

// Two chains, so deep that neither a path nor all open files at once reach their ends.
TEST_F(RemoveTree, TakesFoldersThatNoPathReaches) {
  for (const char* name : {"deep", "deep/deep-1"}) {
    fs::create_directories(part(name));
    int at = ::open(part(name).c_str(), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(::mkdirat(at, "dddddddd", 0755), 0);
      const int next = ::openat(at, "dddddddd", O_RDONLY | O_DIRECTORY);
      ::close(at);
      at = next;
    }
    const int file = ::openat(at, "file", O_WRONLY | O_CREAT, 0600);
    EXPECT_GE(file, 0);
    ::close(file);
    ::close(at);
  }
  remove_tree(part("deep"));
  EXPECT_FALSE(fs::exists(part("deep")));
}

TEST_F(RemoveTree, TakesFoldersWithoutRightsAndFollowsNoLink) {
  ASSERT_TRUE(write_file(part("kept/photo"), "x"));
  ASSERT_TRUE(write_file(part("tree/locked/inner/file"), "x"));
  fs::create_directory_symlink(part("kept"), part("tree/locked/link"));
  fs::create_symlink(part("kept/photo"), part("tree/link"));
  fs::create_directory_symlink(part("kept"), part("link"));
  ASSERT_EQ(::mkfifo(part("tree/pipe").c_str(), 0600), 0);
  fs::permissions(part("kept"), fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(part("tree/locked/inner"), fs::perms::none);
  fs::permissions(part("tree/locked"), fs::perms::none);
  remove_tree(part("tree"));
  EXPECT_FALSE(fs::exists(part("tree")));
  remove_tree(part("link"));
  EXPECT_FALSE(fs::is_symlink(part("link")));
  EXPECT_TRUE(fs::exists(part("kept/photo")));
  EXPECT_EQ(fs::status(part("kept")).permissions(), fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(part("kept"), fs::perms::owner_all);
  ASSERT_TRUE(write_file(part("file"), "x"));
  remove_tree(part("file"));
  remove_tree(part("absent"));
  EXPECT_FALSE(fs::exists(part("file")));
}

}  // namespace
}  // namespace arbor::base
