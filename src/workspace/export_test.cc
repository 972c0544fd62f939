// SPDX-License-Identifier: Apache-2.0
#include "workspace/export.h"

#include <gmock/gmock.h>

#include "workspace/recipe_json.h"
#include "workspace/repository_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

SeriesOrder make_order() {
  domain::Knob batch, scale;
  batch.name = "batch";
  batch.variable = "BATCH";
  scale.name = "scale";
  scale.kind = domain::KnobKind::kDefine;
  scale.variable = "SCALE";
  return {.commits = {},
          .recipe = {{
              domain::EnvironmentVariable{"NAME", "it's $HOME"},
              domain::Preload{"/usr/lib/libx.so"},
              domain::KnobValue{"batch", "8"},
              domain::KnobValue{"scale", "3"},
              domain::CompilerFlags{{"-O3"}, {"-O*"}, {}, false},
              domain::CompilerFlags{{"-flto"}, {}, {}, true},
              domain::CompilerFlags{{"-funroll-loops"}, {}, {"hot.c"}, false},
          }},
          .knobs = {batch, scale}};
}

using Export = RepositoryFixture;

TEST_F(Export, TheSeriesAppliesWithGitAmAndGivesTheSameTree) {
  const fs::path top = scratch() / "p";
  make_repository(top, {{"a.c", "1\n"}});
  const auto repository = open_in(top);
  SeriesOrder order = make_order();
  std::string tip = *repository.baseline_commit(false);
  for (int i = 1; i < 3; ++i) {
    tip = repository
              .apply(tip,
                     "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-" + std::to_string(i) + "\n+" +
                         std::to_string(i + 1) + "\n",
                     "m", {})
              ->commit;
    order.commits.push_back({tip, "Größer: step " + std::to_string(i), "1.02x (1.01 to 1.03)"});
  }
  const auto written = export_series(repository, order, scratch() / "out");
  ASSERT_TRUE(written) << written.error().message;
  ASSERT_EQ(written->size(), 7U);
  run_in(scratch(), {"git", "clone", "-q", top.string(), "clone"});
  run_in(scratch() / "clone", {"git", "am", "-q", (*written)[0].string(), (*written)[1].string()});
  EXPECT_EQ(text_of(scratch() / "clone/a.c"), "3\n");
  EXPECT_EQ(run_in(scratch() / "clone", {"git", "log", "-1", "--format=%s|%an|%b"}),
            "Größer: step 2|Arbor|1.02x (1.01 to 1.03)\n\n");
  EXPECT_EQ(*recipe_from_json(text_of(scratch() / "out/recipe.json"), "r"), order.recipe);
}

TEST_F(Export, TheEnvironmentFileGivesAShellTheVariables) {
  put(scratch() / "environment.sh", environment_file(make_order()));
  EXPECT_EQ(run_in(scratch(), {"sh", "-c",
                               ". ./environment.sh; echo \"$NAME|$BATCH|$LD_PRELOAD\"; "
                               "unset LD_PRELOAD"}),
            "it's $HOME|8|/usr/lib/libx.so\n");
}

TEST_F(Export, MakeBuildsWithTheFlagsOverItsOwn) {
  put(scratch() / "flags.mk", make_flags(make_order()));
  put(scratch() / "Makefile",
      "CFLAGS = -O1 -g\ninclude flags.mk\nall: hot.o cold.o\n\t@echo link "
      "$(LDFLAGS)\n%.o:\n\t@echo $@ "
      "$(CFLAGS)\n");
  EXPECT_EQ(run_in(scratch(), {"make", "-s", "all"}),
            "hot.o -g -O3 -flto -DSCALE=3 -funroll-loops\ncold.o -g -O3 -flto -DSCALE=3\nlink "
            "-flto\n");
}

TEST_F(Export, CmakeTakesThePreset) {
  const std::string preset = cmake_preset(make_order());
  EXPECT_THAT(preset, HasSubstr("-O3 -flto -DSCALE=3"));
  EXPECT_THAT(preset, HasSubstr("hot.c"));
  put(scratch() / "CMakePresets.json", preset);
  put(scratch() / "CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(x NONE)\n");
  run_in(scratch(), {"cmake", "--preset", "arbor"});
  EXPECT_THAT(text_of(scratch() / "build/arbor/CMakeCache.txt"),
              HasSubstr("CMAKE_CXX_FLAGS:UNINITIALIZED=-O3 -flto -DSCALE=3"));
}

TEST_F(Export, ARecipeWithNothingOfAKindWritesNoFileOfIt) {
  EXPECT_EQ(environment_file({}), "");
  EXPECT_EQ(cmake_preset({}), "");
  EXPECT_EQ(make_flags({}), "");
}

TEST_F(Export, ANameThatIsNoVariableNeverBecomesACommand) {
  SeriesOrder order;
  order.recipe.entries = {domain::EnvironmentVariable{"A=1; touch x; B", "1"}};
  EXPECT_EQ(environment_file(order), "");
}

}  // namespace
}  // namespace arbor::workspace
