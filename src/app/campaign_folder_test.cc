// SPDX-License-Identifier: Apache-2.0
#include "app/campaign_folder.h"

#include <gmock/gmock.h>

#include "app/campaign_fixture.h"
#include "base/files.h"

namespace arbor::app {
namespace {
using testing::HasSubstr;
namespace fs = std::filesystem;

class CampaignFolder : public CampaignFixture {
 protected:
  base::Result<fs::path> make_room(bool is_fresh = false) const {
    return make_room_for_campaign(root() / ".arbor", is_fresh);
  }
  // What stands in the way of a new campaign is told and stays.
  void expect_refused() const {
    const auto made = make_room();
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("arbor resume"));
    EXPECT_TRUE(fs::exists(root() / ".arbor" / "campaign.db"));
  }
  void expect_archived() const {
    const auto made = make_room();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(fs::exists(root() / ".arbor" / "campaign.db"));
    EXPECT_TRUE(fs::exists(root() / ".arbor" / "archive" / "1" / "campaign.db"));
  }
};

TEST_F(CampaignFolder, KeepsACampaignThatWasCutOff) {
  begin_campaign();
  store_.reset();
  expect_refused();
}

TEST_F(CampaignFolder, KeepsACampaignThatItsUserStopped) {
  begin_campaign();
  add(engine::CampaignStopped{"user", "", 100});
  store_.reset();
  expect_refused();
}

TEST_F(CampaignFolder, PutsAnUnfinishedCampaignAwayWhenToldTo) {
  begin_campaign();
  store_.reset();
  ASSERT_TRUE(make_room(true));
  EXPECT_TRUE(fs::exists(root() / ".arbor" / "archive" / "1" / "campaign.db"));
}

TEST_F(CampaignFolder, PutsAFinishedCampaignAway) {
  begin_campaign();
  end_campaign();
  expect_archived();
}

TEST_F(CampaignFolder, TakesACampaignBackWhenTheNextOneCameToNothing) {
  begin_campaign();
  end_campaign();
  const auto journal = *base::read_file(root() / ".arbor/campaign.db");
  const auto archive = make_room();
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_EQ(*archive, root() / ".arbor/archive/1");
  EXPECT_TRUE(ports::open_store(root() / ".arbor", ports::StoreMode::kCreate));
  const auto back = take_back_campaign(root() / ".arbor", *archive);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*base::read_file(root() / ".arbor/campaign.db"), journal);
  EXPECT_FALSE(fs::exists(*archive));
  EXPECT_FALSE(fs::exists(root() / ".arbor/campaign.db-wal"));
}

TEST_F(CampaignFolder, IsNotTouchedByARunThatCannotBegin) {
  begin_campaign();
  end_campaign();
  const auto said = say({"run", "-C", root().string(), "--budget", "99999999999h"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("at most 365d"));
  const auto unknown = say({"run", "-C", root().string(), "--only", "no.such"});
  EXPECT_EQ(unknown.code, 2) << unknown.err;
  EXPECT_EQ(say({"report", "-C", root().string()}).code, 0);
  EXPECT_FALSE(fs::exists(root() / ".arbor/archive/1"));
}

// Such as one whose machine had no sandbox, or that was killed while it built the baseline.
TEST_F(CampaignFolder, PutsACampaignAwayThatNeverGotAsFarAsATrial) {
  make_repository(root(), {{"src/sum.c", "int sum = 1;\n"}});
  store_ = *ports::open_store(root() / ".arbor", ports::StoreMode::kCreate);
  engine::CampaignStarted started;
  started.program = "demo";
  add(started);
  add(engine::BaselineReady{"a1", "j1", true, 2.5, 0.8, 0, {}, {}});
  store_.reset();
  expect_archived();
}

// Killed between making the file and its first entry.
TEST_F(CampaignFolder, PutsAnEmptyFileAway) {
  put(root() / ".arbor/campaign.db", "");
  expect_archived();
}

TEST_F(CampaignFolder, KeepsWhatItCannotReadUntilToldToPutItAway) {
  put(root() / ".arbor/campaign.db", "this is no database, but long enough to be read as one");
  const auto made = make_room();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("--fresh"));
  ASSERT_TRUE(make_room(true));
  EXPECT_TRUE(fs::exists(root() / ".arbor/archive/1/campaign.db"));
}

TEST_F(CampaignFolder, KeepsABudgetThatWasRaised) {
  begin_campaign();
  add(engine::CampaignStopped{"budget", "", 900});
  add(engine::SessionResumed{"after a stop", 6, 606});
  EXPECT_EQ(state_.started->budget_s, 606);
  add(engine::SessionResumed{"after a session that ended without a word", 8, {}});
  EXPECT_EQ(state_.started->budget_s, 606);
}

TEST_F(CampaignFolder, TellsThatHeadHasMovedSinceTheCampaignBegan) {
  begin_campaign();
  Workshop workshop;
  workshop.root = root();
  workshop.repository = std::make_unique<workspace::Repository>(*repository_);
  engine::CampaignStarted start = *state_.started;
  start.manifest = domain::ManifestSource{};
  start.manifest->toml = kManifest;
  EXPECT_THAT(changed_since(start, workshop), testing::IsEmpty());
  put(root() / "src/sum.c", "int sum = 2;\n");
  engine::CampaignStarted dirty = start;
  dirty.is_dirty_snapshot = true;
  dirty.commit = *repository_->baseline_commit(true);
  EXPECT_THAT(changed_since(dirty, workshop), testing::IsEmpty());

  run_in(root(), {"git", "commit", "-qam", "second"});
  const std::string head = repository_->baseline_commit(false)->substr(0, 10);
  const std::string old = start.commit.substr(0, 10);
  EXPECT_THAT(changed_since(start, workshop),
              testing::ElementsAre(
                  HasSubstr("HEAD is now " + head + "; this campaign goes on from " + old)));
  EXPECT_THAT(changed_since(dirty, workshop),
              testing::ElementsAre(HasSubstr("goes on from a snapshot on " + old)));
}

}  // namespace
}  // namespace arbor::app
