// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "app/cli/say.h"
#include "workspace/repository_fixture.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kMain =
    "#include <stdio.h>\nint main(void) { puts(\"sum 42\"); return 0; }\n";

// Real little projects, built by the real tools in the real sandbox.
class InitVerb : public workspace::RepositoryFixture {
 protected:
  std::filesystem::path root() const { return scratch() / "the program"; }

  // A terminal whose user could be asked; what they are asked would block.
  Said init(std::vector<std::string> more = {"--yes"}) const {
    std::vector<std::string> words = {"init", "-C", root().string()};
    words.insert(words.end(), more.begin(), more.end());
    Terminal::Setup setup;
    setup.may_ask = true;
    return say(words, setup);
  }
  void make_executable(const std::string& name) const {
    run_in(root(), {"git", "update-index", "--chmod=+x", name});
    std::filesystem::permissions(root() / name, std::filesystem::perms::owner_all);
    run_in(root(), {"git", "commit", "-q", "--amend", "--no-edit"});
  }
  // All that is new for git, ignored files included.
  std::string new_files() const {
    return run_in(root(), {"git", "status", "--porcelain", "--ignored"});
  }
};

#define ARBOR_SKIP_WITHOUT_SANDBOX(said) \
  if ((said).code == kExitEnvironment) GTEST_SKIP() << (said).err

TEST_F(InitVerb, TriesACMakeProjectAndLeavesOnlyTheManifestBehind) {
  make_repository(root(), {{"CMakeLists.txt",
                            "cmake_minimum_required(VERSION 3.20)\nproject(x C)\n"
                            "add_executable(app_bench main.c)\nenable_testing()\n"
                            "add_test(NAME runs COMMAND app_bench)\n"},
                           {"main.c", kMain}});
  const auto said = init();
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  EXPECT_EQ(said.code, kExitDone) << said.out << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("ok      build"), HasSubstr("ok      check"),
                              HasSubstr("ok      bench"), Not(HasSubstr("failed"))));
  EXPECT_THAT(said.err, Not(HasSubstr("What is it?")));
  EXPECT_EQ(new_files(), "?? arbor.toml\n!! .arbor/\n");
}

TEST_F(InitVerb, SaysHowTheCheckOfAMakeProjectFailedAndThenTriesItAgain) {
  make_repository(root(),
                  {{"Makefile",
                    "all: app\napp: main.c\n\tcc -o app main.c\ncheck: app\n\t./app | grep 'sum "
                    "43'\nbench: app\n\t./app\n"},
                   {"main.c", kMain}});
  const auto said = init();
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  EXPECT_EQ(said.code, kExitBaselineFails) << said.out << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("ok      build"),
                              HasSubstr("failed  check  ended with code"), HasSubstr("| make: ***"),
                              HasSubstr("[check] command"), Not(HasSubstr("ok      bench"))));
  std::string manifest = text_of(root() / "arbor.toml");
  manifest.replace(manifest.find("\"make check\""), 12, "\"./app | grep 42\"");
  put(root() / "arbor.toml", manifest);
  const auto again = init({"--try"});
  EXPECT_EQ(again.code, kExitDone) << again.out << again.err;
  EXPECT_EQ(text_of(root() / "arbor.toml"), manifest);
  EXPECT_EQ(new_files(), "?? arbor.toml\n!! .arbor/\n");
}

TEST_F(InitVerb, TriesScriptsAndSaysWhatAFailedBuildPrinted) {
  make_repository(root(), {{"build.sh", "#!/bin/sh\necho compiling\nno-such-compiler main.c\n"},
                           {"check.sh", "#!/bin/sh\ntrue\n"},
                           {"bench.sh", "#!/bin/sh\ntrue\n"}});
  for (const char* script : {"build.sh", "check.sh", "bench.sh"}) make_executable(script);
  const auto said = init({"--yes", "--json"});
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  EXPECT_EQ(said.code, kExitUsage) << said.out << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("ended with code 127"), HasSubstr("no-such-compiler"),
                              HasSubstr("[program] inputs")));
}

TEST_F(InitVerb, TriesNothingWhenToldSo) {
  make_repository(root(), {{"build.sh", "exit 1\n"}, {"check.sh", ""}, {"bench.sh", ""}});
  const auto said = init({"--yes", "--no-try"});
  EXPECT_EQ(said.code, kExitDone) << said.err;
  EXPECT_EQ(new_files(), "?? arbor.toml\n");
}

TEST_F(InitVerb, LeavesOutWhatItCannotFindWithoutAsking) {
  make_repository(root(), {{"notes.txt", "nothing to build\n"}});
  const auto said = init();
  EXPECT_EQ(said.code, kExitUsage);
  EXPECT_THAT(said.out, HasSubstr("build  not found"));
  EXPECT_THAT(said.err, Not(HasSubstr("What is it?")));
}

TEST_F(InitVerb, WritesNothingWhereNoCampaignCouldBeginAndSaysWhatToRun) {
  const auto refused = [&](const char* advice) {
    const auto before = fingerprint(root());
    for (const auto& more : std::vector<std::vector<std::string>>{
             {"--yes"}, {"--yes", "--no-try"}, {"--yes", "--force"}, {"--try"}}) {
      const auto said = init(more);
      EXPECT_EQ(said.code, kExitUsage);
      EXPECT_THAT(said.err, HasSubstr(advice));
    }
    EXPECT_EQ(fingerprint(root()), before);
    EXPECT_FALSE(std::filesystem::exists(root() / ".arbor"));
    std::filesystem::remove_all(root());
  };
  put(root() / "Makefile", "all:\n");
  refused("git init && git add -A && git commit");
  std::filesystem::create_directories(root());
  run_in(root(), {"git", "init", "-q"});
  refused("git add -A && git commit");
  make_repository(scratch() / "origin", {{"Makefile", "all:\n"}});
  run_in(scratch(), {"git", "clone", "-q", "--bare", "origin", root().string()});
  refused("git clone");
}

}  // namespace
}  // namespace arbor::app
