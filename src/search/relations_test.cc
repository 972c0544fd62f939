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

domain::Action settling(const std::string& what, const std::string& strategy,
                        const std::string& target, const std::vector<std::string>& covers = {}) {
  auto made = action({"compiler.flags", strategy, target});
  made.settles = what;
  made.covers = covers;
  return made;
}

TEST(Relations, WhatSettlesOneThingIsAnAlternativeAndOtherThingsAreNot) {
  EXPECT_TRUE(are_alternatives(settling("opt-level", "-O2", ""), settling("opt-level", "-O3", "")));
  EXPECT_FALSE(are_alternatives(settling("opt-level", "-O2", ""), settling("lto", "-flto", "")));
  EXPECT_FALSE(are_alternatives(settling("", "-funroll-loops", ""), settling("", "-fno-plt", "")));
}

TEST(Relations, TwoPlacesAreSettledApartButTheWholeProgramHoldsThemBoth) {
  const auto dot = settling("fast-math", "fast-math-file", "src/dot.c");
  const auto norm = settling("fast-math", "fast-math-file", "src/norm.c");
  const auto whole = settling("fast-math", "fast-math", "");
  EXPECT_FALSE(are_alternatives(dot, norm));
  EXPECT_TRUE(are_alternatives(dot, whole));
  EXPECT_TRUE(are_alternatives(whole, norm));
}

TEST(Relations, AnActionCoversWhatItNamesAtThePlacesItReaches) {
  const auto whole = settling("fast-math", "fast-math", "", {"fast-math-file", "associative-math"});
  const auto dot = settling("fast-math", "fast-math-file", "src/dot.c", {"associative-math"});
  const auto part = settling("fast-math", "associative-math", "");
  EXPECT_TRUE(covers(whole, part));
  EXPECT_TRUE(covers(whole, dot));
  EXPECT_FALSE(covers(dot, part));
  EXPECT_FALSE(covers(part, whole));
  EXPECT_FALSE(covers(whole, whole));
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
