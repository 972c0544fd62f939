// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/campaign_fixture.h"
#include "app/report/report.h"
#include "base/json.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Reading : public CampaignFixture {
 protected:
  Said ask(std::vector<std::string> words) const {
    words.insert(words.end(), {"-C", root().string()});
    return say(words);
  }
  base::Json json_of(std::vector<std::string> words) const {
    words.emplace_back("--json");
    return *base::parse_json(ask(words).out, "the answer");
  }
};

TEST_F(Reading, StatusNamesWhoRunsTheCampaign) {
  begin_campaign();
  const auto said = ask({"status"});
  EXPECT_THAT(said.out, StartsWith("running (pid " + std::to_string(::getpid()) + ", since 2026-"));
  const auto json = json_of({"status"});
  EXPECT_EQ(json["state"], "running");
  EXPECT_EQ(json["pid"], ::getpid());
}

TEST_F(Reading, StatusTellsACutOffCampaignFromAStoppedAndAFinishedOne) {
  begin_campaign();
  store_.reset();
  EXPECT_THAT(ask({"status"}).out, AllOf(StartsWith("not running: it was cut off at 2026-"),
                                         HasSubstr("'arbor resume' goes on with it")));
  EXPECT_EQ(json_of({"status"})["state"], "interrupted");
  store_ = *ports::open_store(root() / ".arbor", ports::StoreMode::kWrite);
  add(engine::CampaignStopped{"user", "", 7});
  store_.reset();
  EXPECT_THAT(ask({"status"}).out,
              AllOf(StartsWith("stopped at 2026-"), HasSubstr("continue with 'arbor resume'")));
}

TEST_F(Reading, StatusCountsTheTimeLeftWithoutThePauses) {
  begin_campaign();
  const double before = state_.elapsed_s;
  for (int pause = 0; pause < 100; ++pause) add(engine::SessionResumed{"after a stop", before, {}});
  store_.reset();
  const auto json = json_of({"status"});
  EXPECT_EQ(json["elapsed_s"], before);
  EXPECT_EQ(json["budget_left_s"], 900 - before);
  EXPECT_THAT(ask({"status"}).out, HasSubstr(" of 15m 00s, 14m 5"));
}

TEST_F(Reading, StopAnswersInJsonToo) {
  begin_campaign();
  store_.reset();
  const auto json = json_of({"stop"});
  EXPECT_EQ(json["schema"], "arbor.stop/1");
  EXPECT_TRUE(json["pid"].is_null());
}

TEST_F(Reading, NoWordOfTheProgramSteersATerminal) {
  engine::CampaignStarted started;
  std::string toml = kManifest;
  toml.replace(toml.find("\"demo\""), 6, "\"de\\u001b[31mmo\\n# x\"");
  started.manifest = domain::ManifestSource{toml + "\n", "", {}};
  begin_campaign(started);
  end_next({{"loop", source_change("1", "2")}});
  end_campaign();
  for (const char* verb : {"report", "status", "tree", "log"})
    EXPECT_EQ(ask({verb}).out.find('\033'), std::string::npos) << verb;
  manifest_.bench.metric.name = "\033]0;x\007|";
  manifest_.program.name = "a\n# b\033";
  const auto markdown = report_markdown(state_, manifest_);
  EXPECT_THAT(markdown,
              AllOf(StartsWith("# a # b"), Not(HasSubstr("\033")), Not(HasSubstr("\007"))));
}

TEST_F(Reading, TheRootIsShownAsTheBaseline) {
  begin_campaign();
  store_.reset();
  EXPECT_THAT(ask({"show", "n0"}).out,
              AllOf(HasSubstr("bench    ./server"), HasSubstr("noise    1.2 % a pair"),
                    HasSubstr("62.0 %  sum_rows  (src/sum.c:3)"), Not(HasSubstr("self-test"))));
  const auto json = json_of({"show", "0"});
  EXPECT_EQ(json["commands"]["check"], "true");
  EXPECT_EQ(json["profile"]["hotspots"][0]["symbol"], "sum_rows");
  EXPECT_TRUE(json["self_test"].is_null());
  EXPECT_THAT(ask({"why", "n0"}).err, HasSubstr("'arbor show n0' shows it"));
}

TEST_F(Reading, NoVerbLooksIntoAnArborFolderThatCameWithTheRepository) {
  begin_campaign();
  store_.reset();
  run_in(root(), {"git", "add", "-f", ".arbor/campaign.db"});
  run_in(root(), {"git", "commit", "-q", "-m", "hostile"});
  const std::string before = fingerprint(root() / ".arbor");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"status"},
                                             {"tree"},
                                             {"show", "n1"},
                                             {"why", "n1"},
                                             {"diff", "n1"},
                                             {"log"},
                                             {"report"},
                                             {"export"},
                                             {"verify"},
                                             {"resume"},
                                             {"stop"},
                                             {"run"},
                                             {"run", "--fresh"},
                                             {"try", "--knob", "batch=8"},
                                             {"init", "--try"},
                                             {"init", "--force", "--yes"}}) {
    const auto said = ask(words);
    EXPECT_EQ(said.code, kExitUsage) << words[0];
    EXPECT_THAT(said.err, HasSubstr("campaign.db' is tracked")) << words[0];
  }
  EXPECT_EQ(fingerprint(root() / ".arbor"), before);
}

}  // namespace
}  // namespace arbor::app
