// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/campaign_fixture.h"
#include "app/version.h"
#include "base/files.h"
#include "base/json.h"

// What the command line prints, word for word, as the texts beside this file. ARBOR_UPDATE_GOLDEN=1
// writes them anew; read the difference before committing it.
namespace arbor::app {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  const auto file = std::filesystem::path(ARBOR_SOURCE_ROOT) / "tests/golden" / name;
  if (std::getenv("ARBOR_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(base::write_file(file, text));
    return;
  }
  const auto expected = base::read_file(file);
  ASSERT_TRUE(expected) << expected.error().message << "; ARBOR_UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(text, *expected) << "ARBOR_UPDATE_GOLDEN=1 rewrites " << name;
}

TEST(GoldenText, HelpOfTheProgramAndOfVerbs) {
  expect_golden("help.txt", say({"--help"}).out);
  EXPECT_EQ(say({"help"}).out, say({"--help"}).out);
  EXPECT_EQ(say({}).out, say({"--help"}).out);
  for (const std::string verb : {"run", "try", "show", "export", "init"})
    expect_golden("help_" + verb + ".txt", say({verb, "--help"}).out);
}

TEST(GoldenText, ListOfExtensionPoints) { expect_golden("list.txt", say({"list"}).out); }

TEST(GoldenText, VersionAsJson) {
  auto json = *base::parse_json(say({"version", "--json"}).out, "version");
  EXPECT_EQ(json["version"], build_facts().version);
  // What differs from build to build.
  json["commit"] = "COMMIT";
  json["compiler"] = "COMPILER";
  json["build"] = "BUILD";
  expect_golden("version.json", base::dump_json(json, 2) + "\n");
}

TEST(GoldenText, SchemaOfTheManifest) { expect_golden("schema.json", say({"schema"}).out); }

// A campaign with a kept patch, kept flags and reverted ideas, from records.
class GoldenCampaign : public CampaignFixture {
 protected:
  void SetUp() override {
    engine::CampaignStarted started;
    started.manifest = domain::ManifestSource{kManifest, "", {}};
    started.toolchain = {"c0ffee", {{"g++", "/usr/bin/g++", "g++ (Debian 12.2.0) 12.2.0"}}};
    begin_campaign(started);
    add(engine::SelfTested{true, "equal builds say no change; a third of a CPU shows as 0.36×"});
    const std::map<std::string, domain::Change> kept = {
        {"loop", source_change("1", "2")},
        {"-O3", {{domain::CompilerFlags{{"-O3"}, {}, {}, false}}, "-O3"}}};
    for (int trial = 0; trial < 3; ++trial) ASSERT_TRUE(end_next(kept));
    add(engine::StageDone{domain::TrialId{3}, "note", "scatter: the candidate swings by 34 %", 0});
    end_campaign();
  }

  void expect_said(const std::string& name, std::vector<std::string> words,
                   Terminal::Setup setup = {}) {
    words.insert(words.end(), {"-C", root().string()});
    const auto said = say(words, setup);
    EXPECT_EQ(said.code, kExitDone) << said.err;
    expect_golden(name, said.out);
  }
  static Terminal::Setup of_width(int width, bool has_color = false) {
    Terminal::Setup setup;
    setup.width = width;
    setup.has_color = has_color;
    return setup;
  }
};

TEST_F(GoldenCampaign, TreeOnAWideANarrowAndAColouredTerminal) {
  expect_said("tree_wide.txt", {"tree"}, of_width(120));
  expect_said("tree_narrow.txt", {"tree"}, of_width(44));
  expect_said("tree_color.txt", {"tree"}, of_width(80, true));
}

TEST_F(GoldenCampaign, Status) {
  expect_said("status.txt", {"status"});
  expect_said("status.json", {"status", "--json"});
}

TEST_F(GoldenCampaign, Log) { expect_said("log.txt", {"log"}); }

TEST_F(GoldenCampaign, OneNode) {
  expect_said("show_n1.txt", {"show", "n1"});
  expect_said("show_n1_color.txt", {"show", "n1"}, of_width(80, true));
  expect_said("show_n0.txt", {"show", "n0"});
  expect_said("why_n1.txt", {"why", "n1"});
  expect_said("diff_n1.txt", {"diff", "n1"});
}

TEST_F(GoldenCampaign, Report) {
  expect_said("report.md", {"report"});
  expect_said("report.json", {"report", "--json"});
}

}  // namespace
}  // namespace arbor::app
