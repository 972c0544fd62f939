// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "app/campaign_fixture.h"

namespace arbor::app {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

// What no measurement is needed for: a program whose build would leave a mark if it ran.
class TryVerb : public CampaignFixture {
 protected:
  TryVerb() {
    make_repository(root(), {{"src/sum.c", "int sum = 1;\n"}, {"check.sh", "true\n"}});
    std::string manifest = kManifest;
    put(root() / "arbor.toml",
        manifest.replace(manifest.find("\"true\""), 6, "\"true\"\nharness = [\"check.sh\"]"));
  }
  Said ask(std::vector<std::string> words) const {
    words.insert(words.begin(), "try");
    words.insert(words.end(), {"-C", root().string()});
    const Said said = say(words);
    std::error_code absent;
    EXPECT_EQ(fs::directory_iterator(root() / ".arbor/trees", absent), fs::directory_iterator())
        << "built " << words[2];
    return said;
  }
  std::string patch(const std::string& text) const {
    put(scratch() / "x.patch", text);
    return (scratch() / "x.patch").string();
  }
};

TEST_F(TryVerb, AChangeThatCannotMeanAnythingIsRefusedBeforeTheBaselineIsBuilt) {
  for (const auto& [words, reason] : std::map<std::vector<std::string>, std::string>{
           {{"--patch", patch(" \n")}, "the file is empty"},
           {{"--knob", "batch=99"}, "declares 1, 8"},
           {{"--knob", "batch="}, "is no value of knob"},
           {{"--knob", "batch=1"}, "by default"},
           {{"--knob", "other=1"}, "no knob 'other'"},
           {{"--knob", "batch"}, "expected NAME=VALUE"},
           {{"--flags", " "}, "holds no flag"},
           {{"--preload", "/no/such/library.so"}, "there is no file"}}) {
    const auto said = ask(words);
    if (said.code == kExitEnvironment) GTEST_SKIP() << said.err;
    EXPECT_EQ(said.code, kExitUsage) << words[1];
    EXPECT_THAT(said.err, HasSubstr(reason)) << words[1];
  }
}

TEST_F(TryVerb, APatchThatNoStateCouldTakeHasItsVerdictBeforeTheBaselineIsBuilt) {
  for (const auto& [text, reason] : std::map<std::string, std::string>{
           {"--- a/src/sum.c\n+++ b/src/sum.c\n@@ -1 +1 @@\n-int x;\n+int y;\n", "does not apply"},
           {"no diff at all\n", "patch"},
           {"--- a/check.sh\n+++ b/check.sh\n@@ -1 +1 @@\n-true\n+:\n", "check.sh"}}) {
    const auto said = ask({"--patch", patch(text)});
    if (said.code == kExitEnvironment) GTEST_SKIP() << said.err;
    EXPECT_EQ(said.code, kExitFailure) << said.err;
    EXPECT_THAT(said.out, testing::AllOf(HasSubstr("patch-refused"), HasSubstr(reason)));
  }
}

}  // namespace
}  // namespace arbor::app
