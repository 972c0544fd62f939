// SPDX-License-Identifier: Apache-2.0
#include "domain/change.h"

#include <gtest/gtest.h>

namespace arbor::domain {
namespace {

TEST(Recipe, IsEqualWhenOnlyTheLastValueOfAVariableDiffersInHistory) {
  const Recipe detour{
      {EnvironmentVariable{"OMP_NUM_THREADS", "1"}, EnvironmentVariable{"OMP_NUM_THREADS", "2"}}};
  const Recipe direct{{EnvironmentVariable{"OMP_NUM_THREADS", "2"}}};
  EXPECT_EQ(recipe_hash(detour), recipe_hash(direct));
}

TEST(Recipe, RecordsItsProfileAnewUnderAnotherCompiler) {
  const Recipe guided{{ProfileGuided{"0123"}}};
  EXPECT_EQ(extended(guided, {{CompilerFlags{{"-O3"}, {}, {}, false}}, ""}).entries[0],
            ChangeEntry(ProfileGuided{"0123"}));
  EXPECT_EQ(extended(guided, {{CompilerChoice{"clang", "clang++"}}, ""}).entries[0],
            ChangeEntry(ProfileGuided{}));
}

TEST(Recipe, KeepsTheOrderOfFlagsBecauseTheLastOneWins) {
  const Recipe up{{CompilerFlags{{"-O2"}, {}, {}, false}, CompilerFlags{{"-O3"}, {}, {}, false}}};
  const Recipe down{{CompilerFlags{{"-O3"}, {}, {}, false}, CompilerFlags{{"-O2"}, {}, {}, false}}};
  EXPECT_NE(recipe_hash(up), recipe_hash(down));
}

TEST(Recipe, BuildHashIgnoresHowTheProgramIsStarted) {
  Recipe recipe{{CompilerFlags{{"-O3"}, {}, {}, false}}};
  const std::string before = build_hash(recipe);
  recipe.entries.push_back(Preload{"/usr/lib/libmimalloc.so"});
  EXPECT_EQ(build_hash(recipe), before);
  EXPECT_NE(recipe_hash(recipe), before);
}

TEST(Recipe, AKnobThatIsAMacroChangesTheBuildAndAnyOtherTheLaunch) {
  Knob knob;
  knob.name = "tile";
  knob.variable = "TILE";
  const ChangeEntry variable = knob_value(knob, "8");
  knob.kind = KnobKind::kDefine;
  const ChangeEntry macro = knob_value(knob, "8");
  EXPECT_TRUE(changes_build(macro));
  EXPECT_FALSE(changes_launch(macro));
  EXPECT_FALSE(changes_source(macro));
  EXPECT_FALSE(changes_build(variable));
  EXPECT_TRUE(changes_launch(variable));
  EXPECT_NE(build_hash({{macro}}), build_hash({}));
  EXPECT_NE(build_hash({{macro}}), build_hash({{knob_value(knob, "16")}}));
  EXPECT_EQ(build_hash({{variable}}), build_hash({}));
}

TEST(Recipe, AValueCannotPoseAsAnotherEntry) {
  const Recipe two{{EnvironmentVariable{"A", "1"}, EnvironmentVariable{"B", "2"}}};
  const Recipe one{{EnvironmentVariable{"A", "1\nenv B 2"}}};
  EXPECT_NE(recipe_hash(two), recipe_hash(one));
}

}  // namespace
}  // namespace arbor::domain
