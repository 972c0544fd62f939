// SPDX-License-Identifier: Apache-2.0
#include "base/owner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"

namespace arbor::base {
namespace {
namespace fs = std::filesystem;

// What a process that was killed has left in a folder.
void leave_behind(const fs::path& folder) {
  const pid_t killed = ::fork();
  if (killed == 0) {
    const auto scratch = ScratchDir::create(folder, "index-");
    if (scratch) static_cast<void>(write_file(scratch->path() / "index", "x"));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(killed, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(Owner, OfAScratchFolderIsTheProcessThatMadeIt) {
  const auto folder = *ScratchDir::create(fs::temp_directory_path(), "arbor-owner-");
  const auto own = *ScratchDir::create(folder.path(), "index-");
  EXPECT_NE(own.path().filename().string().find(owner_mark()), std::string::npos);
  EXPECT_FALSE(has_dead_owner(own.path().filename().string()));
}

TEST(Owner, ThatWasKilledLeavesNothingAfterASweep) {
  const auto folder = *ScratchDir::create(fs::temp_directory_path(), "arbor-owner-");
  const auto own = *ScratchDir::create(folder.path(), "index-");
  ASSERT_TRUE(write_file(folder.path() / "not-scratch-123.4", "x"));
  leave_behind(folder.path());
  const auto count = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  ASSERT_EQ(count(), 3);
  sweep(folder.path(), "launch-");
  EXPECT_EQ(count(), 3) << "another prefix";
  sweep(folder.path());
  EXPECT_EQ(count(), 2);
  EXPECT_TRUE(fs::exists(own.path()));
}

TEST(Owner, OfALinkOrOfSomebodyElsesFileIsNotAsked) {
  const auto folder = *ScratchDir::create(fs::temp_directory_path(), "arbor-owner-");
  const fs::path real = folder.path() / "real", dead = real / "x-123.4.00000000-y";
  ASSERT_TRUE(write_file(real / "kept/photo", "x"));
  fs::create_directory_symlink(real / "kept", dead);
  fs::create_directory_symlink(real, folder.path() / "link");
  sweep(real);
  EXPECT_TRUE(fs::is_symlink(dead));
  fs::remove(dead);
  ASSERT_TRUE(write_file(dead / "index", "x"));
  sweep(folder.path() / "link");
  EXPECT_TRUE(fs::exists(dead)) << "through a link";
  if (::chown(dead.c_str(), 65533, 65533) == 0) {
    sweep(real);
    EXPECT_TRUE(fs::exists(dead)) << "another user's";
    ASSERT_EQ(::chown(dead.c_str(), ::geteuid(), ::getegid()), 0);
  }
  sweep(real);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(real / "kept/photo"));
}

TEST(Owner, IsDeadWhenItsPidBelongsToALaterProcessOrAnotherBoot) {
  const ProcessName own = this_process();
  const std::string boot = own.boot.substr(0, 8);
  EXPECT_FALSE(has_dead_owner(fmt::format("tmp-{}.{}.{}-x", own.pid, own.started, boot)));
  EXPECT_TRUE(has_dead_owner(fmt::format("tmp-{}.{}1.{}-x", own.pid, own.started, boot)));
  EXPECT_TRUE(has_dead_owner(fmt::format("tmp-{}.{}.00000000-x", own.pid, own.started)));
}

TEST(Owner, IsUnknownWhereANameHoldsNoMark) {
  for (const char* name : {"", "tmp-123-x", "v1.2.3", "libfoo-1.2.3", "a-1.2.3.4", "..-"})
    EXPECT_FALSE(has_dead_owner(name)) << name;
}

}  // namespace
}  // namespace arbor::base
