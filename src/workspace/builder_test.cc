// SPDX-License-Identifier: Apache-2.0
#include "workspace/builder.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <thread>

#include "ports/executor/machine_load.h"
#include "workspace/builder_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::map<std::string, std::string> kProgram = {
    {"Makefile",
     "CFLAGS ?= -O1\napp: main.o part.o\n\t$(CC) -o $@ main.o part.o\n%.o: %.c\n\t$(CC) $(CFLAGS) "
     "-c "
     "$< -o $@\n"},
    {".gitignore", "*.o\napp\n"},
    {"main.c",
     "#include <stdio.h>\nint part(int);\nint main(void) { printf(\"%d\\n\", part(20)); "
     "return 0; }\n"},
    {"part.c", "#ifndef SCALE\n#define SCALE 2\n#endif\nint part(int x) { return x * SCALE; }\n"},
};

constexpr const char* kFaster =
    "--- a/part.c\n+++ b/part.c\n@@ -1,4 +1,4 @@\n #ifndef SCALE\n #define SCALE 2\n #endif\n-int "
    "part(int x) { return x * SCALE; }\n+int part(int x) { return x * SCALE + 1; }\n";

domain::Manifest make_manifest() {
  domain::Manifest manifest;
  manifest.build.command = "make";
  manifest.bench.command = "./app";
  return manifest;
}

domain::CompilerFlags flags(std::vector<std::string> add) {
  return {.add = std::move(add), .remove = {}, .files = {}};
}

std::vector<std::string> compiled(const BuiltTree& tree) {
  std::vector<std::string> sources;
  for (const auto& command : tree.commands)
    if (command.kind == CompileCommand::Kind::kCompile)
      sources.insert(sources.end(), command.sources.begin(), command.sources.end());
  std::ranges::sort(sources);
  return sources;
}

using Build = BuilderFixture;

TEST_F(Build, FindsTheArtefactAndRecordsTheCommandsAndLeavesTheUserAlone) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const std::string before = fingerprint(top());
  const BuiltTree tree = build({.commit = base_, .recipe = {}, .purpose = "root"});
  ASSERT_THAT(tree.artefacts, SizeIs(1));
  EXPECT_EQ(tree.artefacts[0].path, "app");
  EXPECT_THAT(compiled(tree), ElementsAre("main.c", "part.c"));
  EXPECT_EQ(fingerprint(top()), before);
  Builder::LaunchOrder order;
  order.tree = &tree;
  order.command = "./app && pwd";
  EXPECT_EQ(launch(order).standard_output, "40\n" + top().string() + "\n");
}

TEST_F(Build, TwoFreshBuildsAreEqualAndAChangedFlagIsNot) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuiltTree one = build({.commit = base_, .recipe = {}, .purpose = "one"});
  const BuiltTree two =
      build({.commit = base_, .recipe = {}, .bypass_cache = true, .purpose = "two"});
  EXPECT_NE(one.folder, two.folder);
  EXPECT_FALSE(two.is_from_cache);
  EXPECT_EQ(artefacts_hash(one), artefacts_hash(two));
  const BuiltTree debug =
      build({.commit = base_, .recipe = {}, .wants_debug_info = true, .purpose = "profile"});
  EXPECT_NE(debug.folder, one.folder);
  const BuiltTree other =
      build({.commit = base_, .recipe = {{flags({"-O3", "-DSCALE=3"})}}, .purpose = "flags"});
  EXPECT_NE(artefacts_hash(one), artefacts_hash(other));
}

TEST_F(Build, ACachedTreeOutlivesTheBuilderAndADamagedOneIsBuiltAgain) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuildOrder order{.commit = base_, .recipe = {}, .purpose = "root"};
  const BuiltTree built = build(order);
  reopen();
  const BuiltTree again = build(order);
  EXPECT_TRUE(again.is_from_cache);
  EXPECT_EQ(again.folder, built.folder);
  EXPECT_EQ(again.artefacts, built.artefacts);
  EXPECT_EQ(again.commands, built.commands);
  put(again.folder / "app", "damaged");
  const BuiltTree rebuilt = build(order);
  EXPECT_FALSE(rebuilt.is_from_cache);
  EXPECT_EQ(rebuilt.artefacts, built.artefacts);
}

TEST_F(Build, AnIncrementalBuildCompilesOnlyWhatChanged) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuiltTree trunk = build({.commit = base_, .recipe = {}, .purpose = "root"});
  const std::string commit = apply(base_, kFaster);
  const BuiltTree tree =
      build({.commit = commit, .recipe = {}, .start_from = &trunk, .purpose = "trial-1"});
  const std::string record = text_of(tree.folder.parent_path() / "commands.jsonl");
  EXPECT_EQ(std::ranges::count(record, '\n'), std::ssize(trunk.commands) + 2)
      << "one compile and one link on top of the trunk's";
  EXPECT_THAT(compiled(tree), ElementsAre("main.c", "part.c"));
  EXPECT_NE(artefacts_hash(tree), artefacts_hash(trunk));
  const BuiltTree fresh =
      build({.commit = commit, .recipe = {}, .bypass_cache = true, .purpose = "f"});
  EXPECT_EQ(artefacts_hash(tree), artefacts_hash(fresh));
  Builder::LaunchOrder order;
  order.tree = &tree;
  order.command = "./app";
  EXPECT_EQ(launch(order).standard_output, "41\n");
}

TEST_F(Build, WhatAnEarlierBuildLeftInTheWayIsNotTheCandidatesFault) {
  open_builder({{".gitignore", "app\n*.o\n*.d\n"},
                {"Makefile",
                 "app: main.o\n\tgcc -o app main.o\nmain.o: main.c\n\tgcc -MMD -c main.c\n"
                 "-include main.d\n"},
                {"extra.h", "#define ANSWER 41\n"},
                {"main.c", "#include \"extra.h\"\nint main(void) { return ANSWER != 41; }\n"}},
               make_manifest());
  if (!builder_) return;
  const BuiltTree trunk = build({.commit = base_, .recipe = {}, .purpose = "root"});
  const std::string commit =
      apply(base_,
            "--- a/extra.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-#define ANSWER 41\n"
            "--- a/main.c\n+++ b/main.c\n@@ -1,2 +1 @@\n-#include \"extra.h\"\n"
            "-int main(void) { return ANSWER != 41; }\n+int main(void) { return 0; }\n");
  const BuiltTree tree =
      build({.commit = commit, .recipe = {}, .start_from = &trunk, .purpose = "trial-1"});
  EXPECT_THAT(compiled(tree), ElementsAre("main.c"));
}

TEST_F(Build, CommittedBuildProductsAreClearedAwayBeforeAFreshBuild) {
  auto manifest = make_manifest();
  manifest.build.command = "test -e app || echo built > app";
  manifest.build.artefacts = {"app"};
  open_builder({{"app", "committed\n"}}, manifest);
  if (!builder_) return;
  const BuiltTree kept = build({.commit = base_, .recipe = {}, .purpose = "root"});
  EXPECT_EQ(text_of(kept.folder / "app"), "committed\n");
  manifest_.build.clean = "rm -f app";
  reopen();
  const BuiltTree cleaned = build({.commit = base_, .recipe = {}, .purpose = "root"});
  EXPECT_EQ(text_of(cleaned.folder / "app"), "built\n");
  EXPECT_FALSE(cleaned.is_from_cache);
}

TEST_F(Build, AProgramThatDoesNotCompileIsAFailureWithItsLog) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuildFailure failure = failed_build(
      {.commit = base_, .recipe = {{flags({"-include", "absent.h"})}}, .purpose = "x"});
  EXPECT_NE(failure.exit_code, 0);
  EXPECT_THAT(failure.log, HasSubstr("absent.h"));
  for (const auto& entry : fs::directory_iterator(top() / ".arbor/trees"))
    ADD_FAILURE() << "left behind: " << entry.path();
}

TEST_F(Build, AnInterruptedBuildLeavesNothingThatLooksComplete) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuildOrder order{.commit = base_, .recipe = {}, .purpose = "root"};
  const BuiltTree built = build(order);
  fs::remove(built.folder.parent_path() / "entry.json");
  fs::create_directories(top() / ".arbor/trees/building-999999999.1.00000000-abc/tree");
  reopen();
  EXPECT_FALSE(fs::exists(top() / ".arbor/trees/building-999999999.1.00000000-abc"));
  EXPECT_FALSE(build(order).is_from_cache);
}

TEST_F(Build, ASubFolderProgramIsBuiltInItsFolderWithItsInputs) {
  auto manifest = make_manifest();
  manifest.program.inputs = {"weights"};
  manifest.build.command = "cat weights/w.txt ../shared.h > /dev/null && make";
  manifest.build.artefacts = {"app"};
  std::map<std::string, std::string> files = {{"shared.h", "\n"}, {".gitignore", "weights\n"}};
  for (const auto& [name, text] : kProgram) files["sub ü/" + name] = text;
  open_builder(files, manifest, "sub ü");
  if (!builder_) return;
  const auto missing = builder_->build({.commit = base_, .recipe = {}, .purpose = "root"}, {});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("weights"));
  put(top() / "sub ü/weights/w.txt", "w\n");
  const BuiltTree tree = build({.commit = base_, .recipe = {}, .purpose = "root"});
  ASSERT_THAT(tree.artefacts, SizeIs(1));
  EXPECT_EQ(tree.artefacts[0].path, "sub ü/app");
  Builder::LaunchOrder order;
  order.tree = &tree;
  order.command = "cat weights/w.txt; ./app > out.txt";
  order.collect = {"out.txt"};
  auto outcome = launch(order);
  EXPECT_EQ(outcome.standard_output, "w\n");
  builder_->name_as_ordered(outcome);
  EXPECT_EQ(outcome.collected["out.txt"], "40\n");
  EXPECT_FALSE(fs::exists(tree.folder / "sub ü/out.txt"));
}

TEST_F(Build, WhatALaunchWritesIsCollectedUnderItsNameInTheRepositorysRoot) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuiltTree tree = build({.commit = base_, .recipe = {}, .purpose = "root"});
  Builder::LaunchOrder order;
  order.tree = &tree;
  order.command = "./app > out.txt";
  order.collect = {"out.txt"};
  auto outcome = launch(order);
  builder_->name_as_ordered(outcome);
  EXPECT_EQ(outcome.collected["out.txt"], "40\n");
}

TEST_F(Build, AProgramWithoutCompiledFilesIsItsSource) {
  auto manifest = make_manifest();
  manifest.build.command = "true";
  open_builder({{"run.sh", "echo 1\n"}}, manifest);
  if (!builder_) return;
  const BuiltTree one = build({.commit = base_, .recipe = {}, .purpose = "root"});
  const BuiltTree two =
      build({.commit = apply(base_, "--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-echo 1\n+echo 2\n"),
             .recipe = {},
             .purpose = "t"});
  EXPECT_NE(artefacts_hash(one), artefacts_hash(two));
  const auto on_disk = artefacts_hash_on_disk(one);
  put(one.folder / "run.sh", "sleep 1; echo 1\n");
  EXPECT_NE(artefacts_hash_on_disk(one), on_disk);
}

TEST_F(Build, AKnobThatIsAMacroReachesTheCompiler) {
  auto manifest = make_manifest();
  domain::Knob scale;
  scale.name = "scale";
  scale.kind = domain::KnobKind::kDefine;
  scale.variable = "SCALE";
  manifest.knobs = {scale};
  open_builder(kProgram, manifest);
  if (!builder_) return;
  const BuiltTree tree =
      build({.commit = base_, .recipe = {{domain::knob_value(scale, "5")}}, .purpose = "t"});
  Builder::LaunchOrder order;
  order.tree = &tree;
  order.command = "./app";
  EXPECT_EQ(launch(order).standard_output, "100\n");
  EXPECT_FALSE(build({.commit = base_, .recipe = {}, .purpose = "t"}).is_from_cache);
  const auto disagreeing = builder_->build(
      {.commit = base_, .recipe = {{domain::KnobValue{"scale", "5"}}}, .purpose = "t"}, {});
  ASSERT_FALSE(disagreeing);
  EXPECT_THAT(disagreeing.error().message, HasSubstr("disagree"));
}

TEST_F(Build, AProfileGuidedBuildTrainsKeepsItsDataAndUsesThem) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const BuiltTree tree =
      build({.commit = base_, .recipe = {{domain::ProfileGuided{}}}, .purpose = "pgo"});
  ASSERT_THAT(tree.recipe.entries, SizeIs(1));
  const auto object = std::get<domain::ProfileGuided>(tree.recipe.entries[0]).profile_object;
  EXPECT_FALSE(object.empty());
  EXPECT_TRUE(fs::is_directory(top() / ".arbor/profiles" / object));
  EXPECT_TRUE(build({.commit = base_, .recipe = tree.recipe, .purpose = "again"}).is_from_cache);
  for (const auto& entry : fs::directory_iterator(top() / ".arbor/trees"))
    EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr("instrumented")));
}

TEST_F(Build, ATrainingRunWithoutProfileDataIsNotApplied) {
  auto manifest = make_manifest();
  manifest.bench.train = "true";
  open_builder(kProgram, manifest);
  if (!builder_) return;
  EXPECT_EQ(
      failed_build({.commit = base_, .recipe = {{domain::ProfileGuided{}}}, .purpose = "p"}).log,
      "the training run left no profile data to build with");
}

// Its three steps share the time that one build is given; this training never ends by itself.
TEST_F(Build, ATrainingRunEndsWithTheTimeOfItsBuild) {
  auto manifest = make_manifest();
  manifest.bench.train = "sleep 1000";
  open_builder(kProgram, manifest);
  if (!builder_) return;
  const auto failure = failed_build(
      {.commit = base_, .recipe = {{domain::ProfileGuided{}}}, .purpose = "p", .longest_s = 3});
  EXPECT_TRUE(failure.is_timeout);
  EXPECT_THAT(failure.log, HasSubstr("training run was stopped"));
}

TEST_F(Build, AServerThatABuildLeavesBehindDoesNotKeepItFromEnding) {
  auto manifest = make_manifest();
  manifest.build.command = "make; (setsid sleep 1000 &)";
  manifest.build.timeout_s = 60;
  open_builder(kProgram, manifest);
  if (!builder_) return;
  EXPECT_THAT(build({.commit = base_, .recipe = {}, .purpose = "b"}).artefacts, SizeIs(1));
}

// The disk is a small one that only this thread sees. One file, and very many empty ones.
TEST_F(Build, ABuildThatFillsTheDiskFailsAndLeavesNothing) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const fs::path arbor_dir = top() / ".arbor";
  bool is_mounted = false;
  std::jthread([&] {
    is_mounted = ::unshare(CLONE_NEWNS) == 0 &&
                 ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                 ::mount("tmpfs", arbor_dir.c_str(), "tmpfs", 0, "size=200m,nr_inodes=20000") == 0;
    if (!is_mounted) return;
    repository_.emplace(open_in(top()));
    const auto free_before = *ports::free_disk_bytes(arbor_dir);
    for (const char* filling : {"make; dd if=/dev/zero of=big bs=1M; true",
                                "make; while :; do i=$((i+1)); mkdir $i; "
                                "(cd $i; seq 100 | xargs touch) || break; done; true"}) {
      manifest_.build.command = filling;
      reopen();
      EXPECT_THAT(failed_build({.commit = base_, .recipe = {}, .purpose = "b"}).log,
                  HasSubstr("filled the disk"));
      EXPECT_GT(*ports::free_disk_bytes(arbor_dir), free_before - (4UL << 20));
    }
    manifest_.build.command = "make";
    reopen();
    build({.commit = base_, .recipe = {}, .purpose = "b"});
    builder_.reset();
    repository_.reset();
  }).join();
  if (!is_mounted) GTEST_SKIP() << "this user may not mount a small disk";
}

TEST_F(Build, KeepOnlyRemovesTheRestEvenWithOddModes) {
  auto manifest = make_manifest();
  manifest.build.command = "make && mkdir -p locked && touch locked/x && chmod 0 locked";
  open_builder(kProgram, manifest);
  if (!builder_) return;
  std::vector<fs::path> folders;
  for (int i = 0; i < 6; ++i)
    folders.push_back(
        build({.commit = base_, .recipe = {}, .bypass_cache = true, .purpose = "t"}).folder);
  builder_->keep_only({folders[0]});
  EXPECT_TRUE(fs::exists(folders[0]));
  const auto left =
      std::ranges::count_if(folders, [](const auto& folder) { return fs::exists(folder); });
  EXPECT_EQ(left, 4) << "the named one and the three most recent";
}

TEST_F(Build, CanBeDiscardedAndLeavesNothing) {
  open_builder(kProgram, make_manifest());
  if (!builder_) return;
  const auto kept = build({.commit = base_, .recipe = {}, .purpose = "a"});
  const auto again = build({.commit = base_, .recipe = {}, .bypass_cache = true, .purpose = "b"});
  builder_->discard(again);
  EXPECT_TRUE(fs::exists(kept.folder));
  EXPECT_FALSE(fs::exists(again.folder.parent_path()));
  builder_->discard({});
  EXPECT_TRUE(fs::exists(top()));
}

TEST_F(Build, ThatNestsFoldersWithoutEndHasFailed) {
  domain::Manifest manifest;
  manifest.build.command =
      "cp run.sh out; i=0; while [ $i -lt 300 ]; do mkdir dddd; cd dddd; i=$((i + 1)); done";
  manifest.build.artefacts = {"out"};
  open_builder({{"run.sh", "\n"}}, manifest);
  if (!builder_) return;
  const auto failure = failed_build({.commit = base_, .recipe = {}, .purpose = "deep"});
  EXPECT_THAT(failure.log, HasSubstr("nested folders more than 256 deep, below 'dddd'"));
  EXPECT_EQ(failure.exit_code, 0);
  std::error_code none;
  EXPECT_EQ(fs::directory_iterator(top() / ".arbor/trees", none), fs::directory_iterator())
      << "nothing of it is left";
}

}  // namespace
}  // namespace arbor::workspace
