// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "workspace/builder_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::map<std::string, std::string> kProgram = {
    {".gitignore", "app\nlib.so\n"},
    {"app.c",
     "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char** v) {\n  const char* b = "
     "getenv(\"BATCH\");\n  fprintf(stderr, \"settings: batch=%s arg=%s\\n\", b ? b : \"4\", c > 1 "
     "? "
     "v[1] : \"none\");\n  return 0;\n}\n"},
    {"settings.conf", "width={knob.width}\n"},
    {"lib.c", "int unused_by_all;\n"},
    {"judge/golden.txt", "right\n"},
    {"judge/check.sh", "cat judge/golden.txt\n"},
};

domain::Knob knob(const std::string& name, domain::KnobKind kind) {
  domain::Knob made;
  made.name = name;
  made.kind = kind;
  return made;
}

class Launches : public BuilderFixture {
 protected:
  void open(const std::string& more_build = "true",
            const std::string& bench = "./app {knob.mode}") {
    domain::Manifest manifest;
    manifest.build.command = "gcc -o app app.c && gcc -shared -o lib.so lib.c && " + more_build;
    manifest.build.artefacts = {"app"};
    manifest.bench.command = bench;
    manifest.bench.harness = {"judge/**"};
    auto batch = knob("batch", domain::KnobKind::kEnvironment);
    batch.variable = "BATCH";
    batch.activates = R"(settings: .*\bbatch={}\b)";
    auto quiet = knob("quiet", domain::KnobKind::kEnvironment);
    quiet.variable = "QUIET";
    auto mode = knob("mode", domain::KnobKind::kArgument);
    mode.argument = "--mode={}";
    mode.default_value = "safe";
    auto width = knob("width", domain::KnobKind::kFileTemplate);
    width.file = "settings.conf";
    width.default_value = "1";
    manifest.knobs = {batch, quiet, mode, width};
    open_builder(kProgram, manifest);
    if (builder_) tree_ = build({.commit = base_, .recipe = {}, .purpose = "root"});
  }

  BuiltTree build_of(const std::string& purpose) {
    return build({.commit = base_, .recipe = {}, .purpose = purpose});
  }

  Builder::LaunchOrder order(const std::string& command, domain::Recipe recipe = {}) {
    Builder::LaunchOrder made;
    made.tree = &tree_;
    made.recipe = std::move(recipe);
    made.command = command;
    return made;
  }

  std::string prove(const domain::ChangeEntry& entry) {
    const auto missing = builder_->prove_launch_change(tree_, tree_, {}, {{entry}, "c"}, {});
    EXPECT_TRUE(missing) << missing.error().message;
    return missing ? *missing : "error";
  }

  BuiltTree tree_;
};

TEST_F(Launches, VariablesKnobsAndTheSeedReachTheCommand) {
  open();
  if (!builder_) return;
  const domain::Recipe recipe{{domain::EnvironmentVariable{"X", "a b"},
                               domain::KnobValue{"batch", "8"}, domain::KnobValue{"batch", "16"},
                               domain::KnobValue{"mode", "fast er"}}};
  auto seeded = order("echo \"$X\" {seed}; ./app {knob.mode}", recipe);
  seeded.seed = 7;
  const auto outcome = launch(seeded);
  EXPECT_EQ(outcome.standard_output, "a b 7\n");
  EXPECT_EQ(outcome.standard_error, "settings: batch=16 arg=--mode=fast er\n");
  EXPECT_EQ(launch(order("./app {knob.mode}")).standard_error,
            "settings: batch=4 arg=--mode=safe\n");
  EXPECT_FALSE(builder_->launch_request(order("true", {{domain::KnobValue{"nope", "1"}}})));
}

TEST_F(Launches, ATemplateIsFilledInForEachLaunch) {
  open();
  if (!builder_) return;
  EXPECT_EQ(launch(order("cat settings.conf")).standard_output, "width=1\n");
  EXPECT_EQ(launch(order("cat settings.conf", {{domain::KnobValue{"width", "7"}}})).standard_output,
            "width=7\n");
  EXPECT_EQ(text_of(tree_.folder / "settings.conf"), "width={knob.width}\n");
  EXPECT_EQ(prove(domain::KnobValue{"width", "7"}), "");
}

TEST_F(Launches, SettingsThatNoLaunchCanHaveAreTheCandidatesFault) {
  open();
  if (!builder_) return;
  EXPECT_FALSE(builder_->launch_refusal(order("true")));
  for (const domain::ChangeEntry& entry : std::vector<domain::ChangeEntry>{
           domain::Preload{"/opt/a b/lib.so"}, domain::Preload{"/home/nobody/absent.so"},
           domain::EnvironmentVariable{"NO-NAME", "1"}, domain::EnvironmentVariable{"", "1"},
           domain::EnvironmentVariable{"X", std::string("a\0b", 3)},
           domain::KnobValue{"nope", "1"}}) {
    const auto refusal = builder_->launch_refusal(order("true", {{entry}}));
    ASSERT_TRUE(refusal) << domain::describe(entry);
    EXPECT_EQ(refusal->reason, "launch-refused");
    EXPECT_FALSE(builder_->launch_request(order("true", {{entry}})));
  }
}

TEST_F(Launches, ATemplateThatTheCandidateRemovedIsItsFault) {
  open("rm settings.conf");
  if (!builder_) return;
  const auto refusal = builder_->launch_refusal(order("true"));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->reason, "launch-refused");
  EXPECT_THAT(refusal->detail, HasSubstr("settings.conf"));
}

TEST_F(Launches, NothingIsKeptFromOneLaunchToTheNext) {
  open();
  if (!builder_) return;
  EXPECT_EQ(launch(order("echo cached > cache && cat cache")).standard_output, "cached\n");
  EXPECT_NE(launch(order("cat cache")).exit_code, 0);
}

TEST_F(Launches, TheJudgesFilesCoverTheCandidatesAndCannotBeWritten) {
  open("true");
  if (!builder_) return;
  const BuiltTree judge = tree_;
  manifest_.build.command += " && echo wrong > judge/golden.txt && echo extra > judge/more.txt";
  reopen();
  tree_ = build({.commit = base_, .recipe = {}, .purpose = "cheat"});
  auto bare = order("sh judge/check.sh");
  EXPECT_EQ(launch(bare).standard_output, "wrong\n");
  bare.judge = &judge;
  bare.harness = {"judge/**"};
  EXPECT_EQ(launch(bare).standard_output, "right\n");
  bare.command = "echo forged > judge/golden.txt";
  EXPECT_NE(launch(bare).exit_code, 0);
}

TEST_F(Launches, AnythingElseInPlaceOfAHarnessFileIsTheCandidatesFault) {
  open();
  if (!builder_) return;
  const BuiltTree judge = tree_;
  for (const char* trick : {" && rm judge/golden.txt && ln -s ../app.c judge/golden.txt",
                            " && rm judge/golden.txt && mkdir judge/golden.txt",
                            " && mv judge other && ln -s other judge"}) {
    manifest_.build.command += trick;
    reopen();
    tree_ = build({.commit = base_, .recipe = {}, .purpose = "cheat"});
    auto tricked = order("true");
    tricked.judge = &judge;
    tricked.harness = {"judge/**"};
    const auto refusal = builder_->launch_refusal(tricked);
    ASSERT_TRUE(refusal) << trick;
    EXPECT_EQ(refusal->reason, "tampered-harness");
    EXPECT_THAT(refusal->detail, HasSubstr("judge"));
    EXPECT_FALSE(builder_->launch_request(tricked));
    manifest_.build.command.resize(manifest_.build.command.size() - std::string(trick).size());
  }
}

// The launch of a command on a tree that such a build made, before the untouched judge.
TEST_F(Launches, WhatTheBuildPutAmongTheJudgesFilesIsNotThere) {
  open();
  if (!builder_) return;
  const BuiltTree judge = tree_;
  manifest_.build.command +=
      " && echo 'exit 0' > judge/helper.sh && mkdir judge/more && "
      "echo x > judge/more/x && ln -s ../app.c judge/link";
  reopen();
  tree_ = build({.commit = base_, .recipe = {}, .purpose = "cheat"});
  auto looking = order("find judge -type f -o -type l");
  EXPECT_THAT(launch(looking).standard_output, HasSubstr("helper"));
  looking.judge = &judge;
  looking.harness = {"judge/**"};
  const std::string seen = launch(looking).standard_output;
  EXPECT_THAT(seen, HasSubstr("golden.txt"));
  EXPECT_THAT(seen, Not(HasSubstr("helper")));
  EXPECT_THAT(seen, Not(HasSubstr("more/x")));
  EXPECT_THAT(seen, Not(HasSubstr("link")));
}

TEST_F(Launches, TheSourceFilesThatACommandNamesAreTheJudgesWithoutBeingDeclared) {
  open();
  if (!builder_) return;
  const BuiltTree judge = tree_;
  manifest_.build.command += " && echo 'echo forged' > judge/check.sh";
  reopen();
  tree_ = build({.commit = base_, .recipe = {}, .purpose = "cheat"});
  auto undeclared = order("sh judge/check.sh");
  EXPECT_EQ(launch(undeclared).standard_output, "forged\n");
  undeclared.judge = &judge;
  EXPECT_EQ(launch(undeclared).standard_output, "right\n");
}

TEST_F(Launches, AFileThatEveryBuildOverwritesIsWhatIsJudgedAndNoJudge) {
  open("echo built > judge/check.sh");
  if (!builder_) return;
  const BuiltTree judge = tree_;
  manifest_.build.command += " && echo better > judge/check.sh";
  reopen();
  tree_ = build({.commit = base_, .recipe = {}, .purpose = "faster"});
  auto named = order("cat judge/check.sh");
  named.judge = &judge;
  EXPECT_EQ(launch(named).standard_output, "better\n");
}

// Test programs link what is judged: the baseline's would pass whatever the candidate computes.
TEST_F(Launches, AProgramThatTheBuildMadeIsTheJudgesOnlyWhereItsPathIsSaid) {
  const std::string build = "echo 'int main() { return 0; }' | gcc -x c -o judge/test -";
  open(build + " && cp judge/test judge/data.bin && truncate -s 4 judge/data.bin");
  if (!builder_) return;
  const BuiltTree judge = tree_;
  manifest_.build.command +=
      " && echo 'int main() { return 7; }' | gcc -x c -o judge/test - && echo wrong > "
      "judge/golden.txt";
  reopen();
  tree_ = build_of("candidate");
  auto testing = order("judge/test; echo $?; cat judge/golden.txt");
  testing.judge = &judge;
  testing.harness = {"judge/**"};
  EXPECT_EQ(launch(testing).standard_output, "7\nright\n");
  testing.harness = {"judge/**", "judge/test"};
  EXPECT_EQ(launch(testing).standard_output, "0\nright\n");
}

TEST_F(Launches, NoFileOfAFolderThatACommandNamesIsTheCandidatesHoweverManyThereAre) {
  open();
  if (!builder_) return;
  for (int i = 0; i < 300; ++i) put(top() / "cases" / std::to_string(i), "right\n");
  run_in(top(), {"git", "add", "-A"});
  run_in(top(), {"git", "commit", "-q", "-m", "cases"});
  base_ = *repository_->baseline_commit(false);
  const BuiltTree judge = build_of("root");
  manifest_.build.command += " && echo wrong > cases/299";
  reopen();
  tree_ = build_of("candidate");
  auto many = order("cat cases/299 # cases");
  many.judge = &judge;
  EXPECT_EQ(launch(many).standard_output, "right\n");
}

TEST_F(Launches, TheJudgeIsAskedWhetherItKnowsAWord) {
  open("true", "./app --print tokens");
  if (!builder_) return;
  auto asked = order("./app --print tokens");
  asked.judge = &tree_;
  EXPECT_EQ(builder_->judge_mentions(asked, "tokens"), true) << "the command names it";
  EXPECT_EQ(builder_->judge_mentions(asked, "golden"), false);
  asked.harness = {"judge/**"};
  EXPECT_EQ(builder_->judge_mentions(asked, "golden"), true) << "judge/check.sh does";
}

TEST_F(Launches, TheFileBehindALinkOfTheJudgeIsTheJudgesToo) {
  open("ln -s golden.txt judge/link.txt");
  if (!builder_) return;
  const BuiltTree judge = tree_;
  manifest_.build.command += " && echo wrong > judge/golden.txt";
  reopen();
  tree_ = build({.commit = base_, .recipe = {}, .purpose = "cheat"});
  auto linked = order("cat judge/link.txt");
  linked.judge = &judge;
  linked.harness = {"judge/link.txt"};
  EXPECT_EQ(launch(linked).standard_output, "right\n");
}

TEST_F(Launches, WhatACommandIsToWriteIsNotThereBeforehand) {
  open("echo ready-made > out.txt");
  if (!builder_) return;
  auto lazy = order("true");
  EXPECT_EQ(launch(order("cat out.txt")).standard_output, "ready-made\n");
  lazy.collect = {"out.txt"};
  EXPECT_THAT(launch(lazy).collected, testing::IsEmpty());
  lazy.command = "echo made > out.txt";
  EXPECT_EQ(launch(lazy).collected.at("out.txt"), "made\n");
}

TEST_F(Launches, WhoeverTouchesTheJudgeChangesItsHash) {
  open();
  if (!builder_) return;
  const auto hash = [&] { return builder_->harness_hash(tree_).value_or("unreadable"); };
  const std::string before = hash();
  EXPECT_EQ(hash(), before);
  const fs::path golden = tree_.folder / "judge/golden.txt";
  const auto time = fs::last_write_time(golden);
  put(golden, "wrong\n");  // as long as "right\n", and as old
  fs::last_write_time(golden, time);
  EXPECT_NE(hash(), before);
  put(golden, "right\n");
  EXPECT_EQ(hash(), before);
  put(tree_.folder / "settings.conf", "not the judge's\n");
  EXPECT_EQ(hash(), before);
  put(tree_.folder / "judge/new.txt", "\n");
  EXPECT_NE(hash(), before);
  fs::remove(tree_.folder / "judge/new.txt");
  put(tree_.folder / "arbor.toml", "\n");
  EXPECT_NE(hash(), before);
  fs::remove(tree_.folder / "arbor.toml");
  fs::remove(golden);
  fs::create_symlink("../app.c", golden);
  EXPECT_NE(hash(), before);
}

TEST_F(Launches, ASabotagedArtefactIsSeenOnTheDisk) {
  open();
  if (!builder_) return;
  EXPECT_EQ(*artefacts_hash_on_disk(tree_), artefacts_hash(tree_));
  put(tree_.folder / "app", "#!/bin/sh\nsleep 1\n");
  EXPECT_NE(*artefacts_hash_on_disk(tree_), artefacts_hash(tree_));
  fs::remove(tree_.folder / "app");
  EXPECT_NE(*artefacts_hash_on_disk(tree_), artefacts_hash(tree_));
}

TEST_F(Launches, AVariableAndAPreloadAreProvenToHaveArrived) {
  open();
  if (!builder_) return;
  EXPECT_EQ(prove(domain::EnvironmentVariable{"MALLOC_ARENA_MAX", "1"}), "");
  const fs::path library = scratch() / "lib.so";
  fs::copy_file(tree_.folder / "lib.so", library);
  EXPECT_EQ(prove(domain::Preload{library.string()}), "");
  EXPECT_THAT(prove(domain::Preload{"/nowhere/lib.so"}), HasSubstr("mapped in no process"));
}

TEST_F(Launches, AVariableThatTheProgramsLauncherDropsIsNotApplied) {
  open("true", "env -u DROPPED ./app");
  if (!builder_) return;
  EXPECT_THAT(prove(domain::EnvironmentVariable{"DROPPED", "1"}), HasSubstr("DROPPED=1"));
}

TEST_F(Launches, AKnobIsProvenByWhatTheProgramPrintsOrBySeeingItArrive) {
  open();
  if (!builder_) return;
  EXPECT_EQ(prove(domain::KnobValue{"batch", "16"}), "");
  EXPECT_EQ(prove(domain::KnobValue{"quiet", "1"}), "");
  EXPECT_EQ(prove(domain::KnobValue{"mode", "fast"}), "");
  manifest_.knobs[0].variable = "NOT_READ";
  reopen();
  EXPECT_THAT(prove(domain::KnobValue{"batch", "16"}), HasSubstr("printed nothing that matches"));
  manifest_.knobs[0].activates = "(";
  reopen();
  EXPECT_FALSE(builder_->prove_launch_change(tree_, tree_, {},
                                             {{domain::KnobValue{"batch", "16"}}, "c"}, {}));
}

TEST_F(Launches, MayNotFillTheDiskWithOneFile) {
  open();
  if (!builder_) return;
  const auto request = builder_->launch_request(order("true"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_GE(request->limits.file_bytes, 1LL << 30);
  EXPECT_LE(request->limits.file_bytes, 16LL << 30);
}

}  // namespace
}  // namespace arbor::workspace
