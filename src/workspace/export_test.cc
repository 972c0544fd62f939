// SPDX-License-Identifier: Apache-2.0
#include "workspace/export.h"

#include <gmock/gmock.h>

#include "workspace/recipe_json.h"
#include "workspace/repository_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;

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
          .knobs = {batch, scale},
          .build_command = "make",
          .program_folder = "",
          .objects = {}};
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
  ASSERT_EQ(written->size(), 6U);
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

TEST_F(Export, ARecipeWithNothingOfAKindWritesNoFileOfIt) { EXPECT_EQ(environment_file({}), ""); }

TEST_F(Export, ANameThatIsNoVariableNeverBecomesACommand) {
  SeriesOrder order;
  order.recipe.entries = {domain::EnvironmentVariable{"A=1; touch x; B", "1"}};
  EXPECT_EQ(environment_file(order), "");
}

}  // namespace
}  // namespace arbor::workspace
