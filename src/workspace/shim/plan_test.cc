// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/random.h"
#include "workspace/shim/shim.h"

namespace arbor::workspace {
namespace {

ShimPlan full_plan() {
  ShimPlan plan;
  plan.flags = {{{"-O3", "-DX=\"a\\b\nc\""}, {"-O*"}, {"src/a b/ü.c", "x.c"}, false},
                {{"-flto"}, {}, {}, true}};
  plan.compiler = domain::CompilerChoice{"clang-19", ""};
  plan.pgo = ShimPlan::Pgo::kUse;
  plan.wants_debug_info = true;
  plan.uses_ccache = true;
  plan.tree_path = "/home/u/re po";
  return plan;
}

TEST(ShimPlan, ReadsBackAsItWasWritten) {
  EXPECT_EQ(parse_plan(plan_text(full_plan())).value(), full_plan());
  EXPECT_EQ(parse_plan(plan_text(ShimPlan{})).value(), ShimPlan{});
}

TEST(ShimPlan, IsRefusedWhenItIsCutOffAnywhere) {
  const std::string text = plan_text(full_plan());
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_plan(text.substr(0, size))) << size;
}

TEST(ShimPlan, NamesTheLineThatItDoesNotUnderstand) {
  for (const char* bad : {"arbor-shim 1\nadd -O3\n", "arbor-shim 1\ntree /r\npgo maybe\n",
                          "arbor-shim 1\nflags all\n", "arbor-shim 2\n", "arbor-shim 1\nwhat\n",
                          "arbor-shim 1\nflags compile\nadd \\x\n"}) {
    const auto plan = parse_plan(bad);
    ASSERT_FALSE(plan) << bad;
    EXPECT_EQ(plan.error().kind, base::ErrorKind::kCorrupt);
    EXPECT_NE(plan.error().message.find("line "), std::string::npos);
  }
}

TEST(ShimPlan, NeverCrashesOnArbitraryBytes) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    auto random = base::Random::stream(3, "plan", seed);
    std::string text = plan_text(full_plan());
    for (int i = 0; i < 5; ++i) text[random.below(text.size())] = static_cast<char>(random.next());
    const auto plan = parse_plan(text);
    if (!plan) continue;
    EXPECT_EQ(parse_plan(plan_text(*plan)).value(), *plan);
  }
}

TEST(ShimPlan, ComesFromTheBuildPartOfARecipe) {
  domain::Recipe recipe;
  recipe.entries = {domain::CompilerFlags{{"-O2"}, {}, {}, false},
                    domain::EnvironmentVariable{"A", "b"}, domain::CompilerChoice{"gcc", "g++"},
                    domain::CompilerChoice{"clang", "clang++"}, domain::ProfileGuided{}};
  const ShimPlan plan = plan_of(recipe, {"/repo", true, false});
  EXPECT_EQ(plan.flags.size(), 1U);
  EXPECT_EQ(plan.compiler->cxx, "clang++");
  EXPECT_EQ(plan.pgo, ShimPlan::Pgo::kGenerate);
  EXPECT_TRUE(plan.wants_debug_info);
  recipe.entries.emplace_back(domain::ProfileGuided{"abc"});
  EXPECT_EQ(plan_of(recipe, {}).pgo, ShimPlan::Pgo::kUse);
}

}  // namespace
}  // namespace arbor::workspace
