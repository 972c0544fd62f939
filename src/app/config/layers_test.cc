// SPDX-License-Identifier: Apache-2.0
#include "app/config/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"

namespace arbor::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A program's folder with a manifest, and a user file beside it.
class Layers : public ::testing::Test {
 protected:
  void SetUp() override {
    auto scratch = base::ScratchDir::create(::testing::TempDir(), "layers-");
    ASSERT_TRUE(scratch) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    write_manifest("");
  }
  void write_manifest(const std::string& more) {
    ASSERT_TRUE(base::write_file(scratch_->path() / "arbor.toml",
                                 "schema = 1\n[build]\ncommand = 'b'\n[check]\ncommand = 'c'\n"
                                 "[bench]\ncommand = 'm'\n" +
                                     more));
  }
  void write_user_file(const std::string& text) {
    overrides_.user_file = scratch_->path() / "config.toml";
    ASSERT_TRUE(base::write_file(overrides_.user_file, text));
  }
  base::Result<domain::Manifest> load() {
    ARBOR_TRY(auto loaded, load_manifest(scratch_->path(), overrides_));
    return loaded.manifest;
  }
  double wall_s() {
    const auto manifest = load();
    EXPECT_TRUE(manifest) << manifest.error().message;
    return manifest ? manifest->budget.wall_s : -1;
  }
  std::string refusal() {
    const auto manifest = load();
    EXPECT_FALSE(manifest) << "was accepted";
    return manifest ? "" : manifest.error().message;
  }

  std::optional<base::ScratchDir> scratch_;
  Overrides overrides_;
};

TEST_F(Layers, EachOverridesTheOneBelow) {
  EXPECT_EQ(wall_s(), domain::BudgetSection{}.wall_s);
  write_user_file("[budget]\nwall = '1m'\n");
  EXPECT_EQ(wall_s(), 60);
  write_manifest("[budget]\nwall = '2m'\n");
  EXPECT_EQ(wall_s(), 120);
  overrides_.environment["ARBOR_BUDGET_WALL"] = "3m";
  EXPECT_EQ(wall_s(), 180);
  overrides_.flags.push_back({"budget.wall", "4m", "--budget"});
  EXPECT_EQ(wall_s(), 240);
}

TEST_F(Layers, KeysOfOneTableComeFromDifferentLayers) {
  write_user_file("[sandbox]\nread = ['/opt/tools']\nprocesses = 7\n");
  write_manifest("[sandbox]\nprocesses = 9\n");
  overrides_.environment["ARBOR_SANDBOX_KEEP_ENV"] = "LANG, TZ";
  overrides_.environment["ARBOR_SANDBOX_NETWORK"] = "true";
  const auto manifest = load();
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_THAT(manifest->sandbox.read, ElementsAre("/opt/tools"));
  EXPECT_EQ(manifest->sandbox.processes, 9);
  EXPECT_THAT(manifest->sandbox.keep_env, ElementsAre("LANG", "TZ"));
  EXPECT_TRUE(manifest->sandbox.network);
}

TEST_F(Layers, AWrongValueNamesItsOwnOrigin) {
  overrides_.environment["ARBOR_BUDGET_TRIALS"] = "many";
  overrides_.flags.push_back({"budget.wall", "soon", "--budget"});
  write_user_file("[search]\nscore = 'best'\n");
  const std::string message = refusal();
  EXPECT_THAT(message, HasSubstr("ARBOR_BUDGET_TRIALS: [budget] trials: expected a whole number"));
  EXPECT_THAT(message, HasSubstr("--budget: [budget] wall: expected a duration"));
  EXPECT_THAT(message, HasSubstr("config.toml:2: [search] score"));
}

TEST_F(Layers, TheUserFileHoldsNothingOfAProgram) {
  write_user_file("[bench]\ncommand = 'x'\n");
  EXPECT_THAT(refusal(), HasSubstr("may hold the tables [budget], [search], [sandbox]"));
}

TEST_F(Layers, AMistypedVariableIsNotIgnored) {
  overrides_.environment["ARBOR_BUDGET_WAL"] = "3m";
  EXPECT_THAT(refusal(), HasSubstr("did you mean ARBOR_BUDGET_WALL?"));
}

TEST_F(Layers, OtherVariablesAreSomebodyElses) {
  overrides_.environment["ARBOR_UPDATE_GOLDEN"] = "1";
  EXPECT_EQ(wall_s(), domain::BudgetSection{}.wall_s);
}

TEST_F(Layers, AFlagCannotSetWhatDoesNotExist) {
  for (const char* key : {"budget", "budget.wal", "knob.name", "bench.metric", "nothing.at.all"}) {
    overrides_.flags = {{key, "1", "--set"}};
    EXPECT_THAT(refusal(),
                HasSubstr("--set: '" + std::string(key) + "' can only be set in the file"));
  }
}

TEST_F(Layers, AManifestReadAgainFromItsSourceIsTheSameWhateverChanged) {
  write_user_file("[budget]\ntrials = 7\n");
  write_manifest("[goal]\nspeedup = '2x'\n[search]\nseed = 3\n");
  overrides_.environment["ARBOR_SANDBOX_KEEP_ENV"] = "LANG, TZ";
  overrides_.environment["ARBOR_SEARCH_SEED"] = "4";
  overrides_.flags = {{"search.seed", "5", "--seed"}, {"budget.wall", "4m", "--budget"}};
  const auto loaded = load_manifest(scratch_->path(), overrides_);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->manifest.search.seed, 5U);
  write_user_file("[budget]\ntrials = 8\n");
  write_manifest("[goal]\nspeedup = '3x'\n");
  const auto again = manifest_of(loaded->source, scratch_->path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, loaded->manifest);
}

TEST_F(Layers, TheProgramIsCalledAfterItsFolderUnlessItSaysOtherwise) {
  const auto named_after_folder = load();
  ASSERT_TRUE(named_after_folder);
  EXPECT_EQ(named_after_folder->program.name, scratch_->path().filename().string());
  write_manifest("[program]\nname = 'mine'\n");
  EXPECT_EQ(load()->program.name, "mine");
}

TEST(OverridesOfEnvironment, FindTheUserFileByTheConvention) {
  EXPECT_EQ(overrides_of_environment({{"HOME", "/h"}}).user_file, "/h/.config/arbor/config.toml");
  EXPECT_EQ(overrides_of_environment({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}}).user_file,
            "/x/arbor/config.toml");
  EXPECT_EQ(overrides_of_environment({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "relative"}}).user_file,
            "/h/.config/arbor/config.toml");
  EXPECT_EQ(overrides_of_environment({}).user_file, "");
}

TEST(OverridesOfEnvironment, TakeOnlyArborsOwnVariables) {
  const auto overrides = overrides_of_environment({{"ARBOR_BUDGET_WALL", "1m"}, {"PATH", "/bin"}});
  EXPECT_THAT(overrides.environment, ElementsAre(::testing::Pair("ARBOR_BUDGET_WALL", "1m")));
}

}  // namespace
}  // namespace arbor::app
