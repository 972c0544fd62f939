// SPDX-License-Identifier: Apache-2.0
#include "search/relations.h"

#include <gtest/gtest.h>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

using toy::action;

TEST(Relations, TwoValuesOfOneKnobAreAlternatives) {
  const auto small = action({"application.knob", "batch=8", "knob:batch"});
  const auto large = action({"application.knob", "batch=16", "knob:batch"});
  const auto other = action({"application.knob", "chunk=8", "knob:chunk"});
  EXPECT_TRUE(are_alternatives(small, large));
  EXPECT_FALSE(are_alternatives(small, small));
  EXPECT_FALSE(are_alternatives(small, other));
  EXPECT_FALSE(can_go_together(small, large));
  EXPECT_TRUE(can_go_together(small, other));
}

TEST(Relations, LevelsAndAllocatorsReplaceOneAnotherButFlagsDoNot) {
  EXPECT_TRUE(are_alternatives(action({"compiler.flags", "-O2", ""}),
                               action({"compiler.flags", "-O3", ""})));
  EXPECT_TRUE(are_alternatives(action({"runtime.allocator", "mimalloc", ""}),
                               action({"runtime.allocator", "jemalloc", ""})));
  EXPECT_FALSE(are_alternatives(action({"compiler.flags", "-funroll-loops", ""}),
                                action({"compiler.flags", "-fno-plt", ""})));
}

TEST(Relations, ActionsOfDifferentSpecialistsAreNoAlternatives) {
  auto mine = action({"kernel.loop", "tile=8", "dot"});
  auto theirs = action({"kernel.loop", "tile=16", "dot"});
  theirs.specialist = "someone-else";
  EXPECT_FALSE(are_alternatives(mine, theirs));
}

TEST(Relations, TwoEditsOfOnePlaceDoNotGoTogether) {
  EXPECT_FALSE(can_go_together(action({"kernel.loop", "tile", "dot"}),
                               action({"kernel.loop", "interchange", "dot"})));
  EXPECT_TRUE(can_go_together(action({"kernel.loop", "tile", "dot"}),
                              action({"kernel.loop", "tile", "norm"})));
  EXPECT_TRUE(can_go_together(action({"compiler.flags", "-funroll-loops", ""}),
                              action({"compiler.flags", "-fno-plt", ""})));
}

TEST(Relations, AWordNamesACategoryAStrategyAFamilyOrAllBelowACategory) {
  const auto spin = action({"runtime.wait", "wait=spin", "knob:wait"});
  EXPECT_TRUE(names("runtime.wait", spin));
  EXPECT_TRUE(names("wait=spin", spin));
  EXPECT_TRUE(names("wait", spin));
  EXPECT_TRUE(names("runtime", spin));
  EXPECT_FALSE(names("run", spin));
  EXPECT_FALSE(names("", spin));
}

TEST(Relations, EitherSideMayDeclareWhatEnablesWhat) {
  const auto native = action({"compiler.isa", "-march=native", ""});
  const auto wants = action({"kernel.vectorise", "simd", "dot", 1, 1.1, 1, {}, {"-march"}});
  const auto gives = action({"kernel.loop", "swap", "dot", 1, 1.1, 1, {"compiler.isa"}});
  EXPECT_TRUE(is_enabled_by(wants, native));
  EXPECT_FALSE(is_enabled_by(native, wants));
  EXPECT_TRUE(is_enabled_by(native, gives));
}

}  // namespace
}  // namespace arbor::search
