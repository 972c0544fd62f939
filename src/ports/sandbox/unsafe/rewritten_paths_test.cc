// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/unsafe/rewritten_paths.h"

#include <gtest/gtest.h>

namespace arbor::ports {
namespace {

const View kView{.tree = "/trees/7",
                 .tree_path = "/home/me/project",
                 .discard_writes = false,
                 .mounts = {{"/arbor/shim", "/run/arbor/shim", false},
                            {"/data/golden", "/home/me/project/golden", false}}};

TEST(RewrittenPaths, LeadIntoTheTree) {
  const RewrittenPaths paths(kView, kView.tree);
  EXPECT_EQ(paths.path("/home/me/project"), "/trees/7");
  EXPECT_EQ(paths.path("/home/me/project/a b/c"), "/trees/7/a b/c");
}

TEST(RewrittenPaths, FollowTheMountThatCoversThemLast) {
  const RewrittenPaths paths(kView, kView.tree);
  EXPECT_EQ(paths.path("/home/me/project/golden/x"), "/data/golden/x");
}

TEST(RewrittenPaths, LeaveEverythingElseAlone) {
  const RewrittenPaths paths(kView, kView.tree);
  EXPECT_EQ(paths.path("/home/me/project2"), "/home/me/project2");
  EXPECT_EQ(paths.path("-O2"), "-O2");
}

TEST(RewrittenPaths, ReachEachElementOfAList) {
  const RewrittenPaths paths(kView, kView.tree);
  EXPECT_EQ(paths.list("/run/arbor/shim:/usr/bin"), "/arbor/shim:/usr/bin");
  EXPECT_EQ(paths.list(""), "");
}

}  // namespace
}  // namespace arbor::ports
