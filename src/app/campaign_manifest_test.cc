// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>

#include "app/campaign_fixture.h"
#include "app/wiring.h"

namespace arbor::app {
namespace {
using testing::HasSubstr;
using testing::Not;

// The program's build command was "exit 31" when the campaign began; arbor.toml says "make" now.
class CampaignManifest : public CampaignFixture {
 protected:
  static engine::CampaignStarted began_otherwise() {
    std::string toml = kManifest;
    toml.replace(toml.find("\"make\""), 6, "\"exit 31\"");
    engine::CampaignStarted started;
    started.manifest = domain::ManifestSource{
        toml, "", {{"goal.speedup", "3x", "--goal"}, {"search.seed", "9", "ARBOR_SEARCH_SEED"}}};
    return started;
  }
  void stop_by_user() {
    add(engine::CampaignStopped{"user", "", 12});
    store_.reset();
  }
  base::Result<Campaign> read() const {
    Arguments arguments;
    arguments.options["-C"] = {root().string()};
    return read_campaign(arguments);
  }
  Said resume() const { return say({"resume", "-C", root().string()}); }
};

TEST_F(CampaignManifest, IsWhatTheCampaignBeganWithFlagsIncluded) {
  begin_campaign(began_otherwise());
  end_campaign();
  const auto campaign = read();
  ASSERT_TRUE(campaign) << campaign.error().message;
  EXPECT_EQ(campaign->manifest.build.command, "exit 31");
  EXPECT_EQ(campaign->manifest.goal.speedup, 3);
  EXPECT_EQ(campaign->manifest.search.seed, 9U);
  EXPECT_EQ(campaign->manifest.program.name, "demo");
}

TEST_F(CampaignManifest, LetsACampaignBeReadWhenTheFileIsBrokenOrGone) {
  begin_campaign(began_otherwise());
  ASSERT_TRUE(end_next({{"loop", source_change("1", "2")}}));
  end_campaign();
  const auto before = say({"report", "-C", root().string()});
  EXPECT_EQ(before.code, kExitDone);
  put(root() / "arbor.toml", "schema = 1\n[bild]\n");
  EXPECT_EQ(say({"report", "-C", root().string()}).out, before.out);
  std::filesystem::remove(root() / "arbor.toml");
  EXPECT_EQ(say({"report", "-C", root().string()}).out, before.out);
}

TEST_F(CampaignManifest, IsThePresentFileWhereTheJournalKeptNone) {
  begin_campaign();
  end_campaign();
  const auto campaign = read();
  ASSERT_TRUE(campaign) << campaign.error().message;
  EXPECT_EQ(campaign->manifest.build.command, "make");
}

TEST_F(CampaignManifest, IsWhatResumeBuildsWithAndItSaysThatTheFileChanged) {
  begin_campaign(began_otherwise());
  stop_by_user();
  const auto said = resume();
  if (said.code == kExitEnvironment) GTEST_SKIP() << said.err;
  EXPECT_THAT(said.err, HasSubstr("arbor.toml has changed since the campaign began"));
  EXPECT_THAT(said.err, HasSubstr("'arbor run --fresh'"));
  EXPECT_THAT(said.err, HasSubstr("exit 31"));
}

TEST_F(CampaignManifest, DoesNotSayWhetherThereIsASandbox) {
  auto started = began_otherwise();
  started.is_unsafe = true;
  begin_campaign(started);
  stop_by_user();
  const auto said = resume();
  EXPECT_EQ(said.code, kExitUsage);
  EXPECT_THAT(said.err, HasSubstr("give --unsafe again"));
}

TEST_F(CampaignManifest, IsNotRemarkedOnWhenTheFileIsTheSame) {
  auto started = began_otherwise();
  begin_campaign(started);
  put(root() / "arbor.toml", started.manifest->toml);
  stop_by_user();
  const auto said = resume();
  if (said.code == kExitEnvironment) GTEST_SKIP() << said.err;
  EXPECT_THAT(said.err, Not(HasSubstr("has changed")));
  EXPECT_THAT(said.err, HasSubstr("exit 31"));
}

}  // namespace
}  // namespace arbor::app
