// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/campaign_fixture.h"
#include "base/json.h"
#include "base/text.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Export : public CampaignFixture {
 protected:
  // Kept: a patch, flags, a second patch made on top of a reverted trial, and a knob.
  void run_campaign() {
    begin_campaign();
    const std::map<std::string, domain::Change> kept = {
        {"loop", source_change("1", "2")},
        {"-O3", {{domain::CompilerFlags{{"-O3"}, {}, {}, false}}, "-O3"}},
        {"batch", {{domain::KnobValue{"batch", "8"}}, "batch = 8"}}};
    while (end_next(kept)) {
    }
    add(engine::Proposed{state_.search->trunk(), {second_loop()}});
    ASSERT_TRUE(end_next({{"loop-again", source_change("2", "3")}}));
    tip_ = state_.search->node(state_.search->trunk()).commit;
    end_campaign();
  }

  static domain::Action second_loop() {
    domain::Action action;
    action.category = "kernel.loop";
    action.strategy = "loop-again";
    action.title = "Tile sum_rows() once more";
    action.prediction.touched_share = 0.9;
    action.prediction.local_speedup = 3;
    action.prediction.upper_speedup = 6;
    return action;
  }

  std::string git(std::vector<std::string> words) const {
    words.insert(words.begin(), "git");
    return run_in(root(), words);
  }
  // All that the user has but the branches: checkout, index, HEAD, status.
  std::string users_state() const {
    return fingerprint(root() / "src") + git({"status", "--porcelain=v2", "--branch"}) +
           git({"ls-files", "--stage"}) + git({"rev-parse", "HEAD"}) + git({"stash", "list"});
  }

  std::string tip_;
};

TEST_F(Export, WritesABranchOfMeasuredCommitsWhoseTreeIsTheKeptNodes) {
  run_campaign();
  put(root() / "src/sum.c", "int sum = 1;  // being edited\n");
  const std::string before = users_state();
  const auto said = say({"export", "--branch", "faster", "-C", root().string()});
  EXPECT_EQ(said.code, kExitDone) << said.err;
  EXPECT_EQ(git({"log", "--reverse", "--format=%s", "main..faster"}),
            "Vectorise the sum in sum_rows()\nTile sum_rows() once more\n");
  EXPECT_THAT(git({"log", "-1", "--format=%b", "faster"}),
              AllOf(HasSubstr("1.21× [1.19, 1.23]"), HasSubstr("Node n")));
  EXPECT_EQ(git({"rev-parse", "faster^{tree}"}), *repository_->tree_id(tip_) + "\n");
  EXPECT_EQ(git({"merge-base", "main", "faster"}), git({"rev-parse", "main"}));
  EXPECT_EQ(users_state(), before);
  EXPECT_EQ(git({"branch", "--format=%(refname:short)"}), "faster\nmain\n");
}

TEST_F(Export, ListsAllThatItWroteAsJson) {
  run_campaign();
  const auto said = say({"export", "--json", "-C", root().string()});
  ASSERT_EQ(said.code, kExitDone) << said.err;
  const auto json = *base::parse_json(said.out, "export");
  EXPECT_EQ(json["schema"], "arbor.export/1");
  EXPECT_THAT(json["branch"].get<std::string>(), testing::StartsWith("arbor/demo-2026"));
  EXPECT_EQ(git({"rev-parse", json["branch"].get<std::string>()}),
            json["steps"].back()["commit"].get<std::string>() + "\n");
  const fs::path folder = json["folder"].get<std::string>();
  EXPECT_EQ(folder, root() / ".arbor/export");
  EXPECT_THAT(
      json["files"].get<std::vector<std::string>>(),
      ElementsAre("0001-Vectorise-the-sum-in-sum-rows.patch", "0002-Tile-sum-rows-once-more.patch",
                  "recipe.json", "environment.sh", "flags.mk", "README"));
  for (const auto& file : json["files"])
    EXPECT_TRUE(fs::exists(folder / file.get<std::string>())) << file;
  EXPECT_EQ(text_of(folder / "environment.sh"), "export BATCH='8'\n");
}

TEST_F(Export, NeverReplacesABranchUnlessForced) {
  run_campaign();
  git({"branch", "faster"});
  const std::vector<std::string> words = {"export", "--branch", "faster", "-C", root().string()};
  const auto refused = say(words);
  EXPECT_EQ(refused.code, kExitUsage);
  EXPECT_THAT(refused.err, HasSubstr("'faster' exists already"));
  EXPECT_EQ(git({"rev-parse", "faster"}), git({"rev-parse", "main"}));
  auto forced = words;
  forced.emplace_back("--force");
  EXPECT_EQ(say(forced).code, kExitDone);
  EXPECT_EQ(git({"rev-parse", "faster^{tree}"}), *repository_->tree_id(tip_) + "\n");
}

TEST_F(Export, LeavesAFolderAloneThatHoldsSomethingElse) {
  run_campaign();
  const fs::path folder = scratch() / "handover";
  put(folder / "notes.txt", "mine");
  put(folder / "0009-stale.patch", "from an earlier export");
  const std::vector<std::string> words = {"export", "--to", folder.string(), "-C", root().string()};
  const auto refused = say(words);
  EXPECT_EQ(refused.code, kExitUsage);
  EXPECT_EQ(git({"branch", "--format=%(refname:short)"}), "main\n");
  auto forced = words;
  forced.emplace_back("--force");
  EXPECT_EQ(say(forced).code, kExitDone);
  EXPECT_EQ(text_of(folder / "notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(folder / "0009-stale.patch"));
  EXPECT_TRUE(fs::exists(folder / "recipe.json"));
}

TEST_F(Export, SaysThatNothingWasKept) {
  begin_campaign();
  ASSERT_TRUE(end_next({}));
  end_campaign();
  const auto said = say({"export", "-C", root().string()});
  EXPECT_EQ(said.code, kExitNoImprovement);
  EXPECT_THAT(said.err, HasSubstr("kept nothing"));
  EXPECT_EQ(git({"branch", "--format=%(refname:short)"}), "main\n");
}

}  // namespace
}  // namespace arbor::app
