// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/cgroup.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace arbor::ports {
namespace {

TEST(CgroupHome, IsNowhereWithoutAMountedHierarchy) {
  const CgroupHome home = find_cgroup_home("0::/user.slice\n", "");
  EXPECT_EQ(home.version, CgroupVersion::kNone);
  EXPECT_FALSE(home.limits_memory());
  EXPECT_FALSE(home.limits_processes());
}

TEST(CgroupHome, IsNowhereWhereTheMountPointsAreNoControlGroups) {
  const CgroupHome home = find_cgroup_home(
      "4:memory:/a\n0::/\n",
      "30 20 0:26 / /proc rw - cgroup cgroup rw,memory\nbroken line\n1 2 3 - cgroup2 x\n");
  EXPECT_EQ(home.version, CgroupVersion::kNone);
}

TEST(Cgroup, WithoutAHomeLimitsAndMeasuresNothing) {
  const auto group = Cgroup::create({}, {.memory_bytes = 1 << 20, .processes = 1}, 0);
  ASSERT_TRUE(group) << group.error().message;
  EXPECT_EQ(group->join_fds()[0], -1);
  EXPECT_FALSE(group->times());
  EXPECT_FALSE(group->peak_bytes());
  EXPECT_FALSE(group->was_out_of_memory());
}

TEST(Cgroup, LeavesNoFolderBehind) {
  const CgroupHome home = find_cgroup_home();
  if (home.memory.empty() && home.unified.empty()) GTEST_SKIP() << "no writable control groups";
  const std::filesystem::path& parent = home.unified.empty() ? home.memory : home.unified;
  const auto count = [&parent] {
    int groups = 0;
    const std::string ours = "arbor-" + std::to_string(::getpid());
    for (const auto& entry : std::filesystem::directory_iterator(parent))
      if (entry.path().filename().string().starts_with(ours)) ++groups;
    return groups;
  };
  const int before = count();
  {
    const auto group = Cgroup::create(home, {}, 0);
    ASSERT_TRUE(group) << group.error().message;
    EXPECT_EQ(count(), before + 1);
  }
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace arbor::ports
