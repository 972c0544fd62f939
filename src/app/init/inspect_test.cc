// SPDX-License-Identifier: Apache-2.0
#include "app/init/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config/manifest_file.h"
#include "base/files.h"

namespace arbor::app {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A program's folder with a space and letters beyond ASCII in its name.
class Init : public ::testing::Test {
 protected:
  void SetUp() override {
    auto scratch = base::ScratchDir::create(::testing::TempDir(), "init-");
    ASSERT_TRUE(scratch) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    root_ = scratch_->path() / "größer schneller 速い";
    fs::create_directories(root_);
  }
  void write(const fs::path& path, const std::string& text, bool is_executable = false) {
    ASSERT_TRUE(base::write_file(root_ / path, text));
    if (is_executable) fs::permissions(root_ / path, fs::perms::owner_all);
  }
  InitFindings inspect() {
    auto findings = inspect_program(root_);
    EXPECT_TRUE(findings) << findings.error().message;
    return findings.value_or(InitFindings{});
  }
  // What parse_manifest makes of the manifest that init writes.
  static domain::Manifest written(const InitFindings& findings) {
    const std::string text = commented_manifest(findings);
    auto manifest = parse_manifest(text, "arbor.toml");
    EXPECT_TRUE(manifest) << manifest.error().message << "\n" << text;
    return manifest.value_or(domain::Manifest{});
  }

  std::optional<base::ScratchDir> scratch_;
  fs::path root_;
};

TEST_F(Init, FindsTheThreeCommandsOfACMakeProject) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(x)\n# add_executable(old_bench a.cc)\n"
        "add_subdirectory(src)\nadd_subdirectory(\"bench\")\nenable_testing()\n");
  write("src/CMakeLists.txt", "add_executable(app main.cc)\n");
  write("bench/CMakeLists.txt", "add_executable( app_bench\n  bench.cc )\n");
  write("third_party/x/CMakeLists.txt", "add_executable(vendored_bench a.cc)\n");
  const auto findings = inspect();
  EXPECT_EQ(findings.build_system, "CMake");
  EXPECT_THAT(findings.executables, ElementsAre("build/src/app", "build/bench/app_bench"));
  EXPECT_THAT(findings.bench_harness, ElementsAre("bench/**"));
  const auto manifest = written(findings);
  EXPECT_EQ(manifest.program.name, "größer schneller 速い");
  EXPECT_EQ(manifest.build.command,
            "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j2");
  EXPECT_EQ(manifest.check.command, "ctest --test-dir build --output-on-failure");
  EXPECT_EQ(manifest.bench.command, "build/bench/app_bench");
  EXPECT_THAT(manifest.edit.allow, ElementsAre("src/**"));
}

TEST_F(Init, KeepsOutOfABuildFolderThatBelongsToTheProgram) {
  write("CMakeLists.txt", "project(x)\nadd_executable(run_bench a.cc)\n");
  write("build/ci.yml", "x");
  EXPECT_EQ(inspect().bench.command, "build-arbor/run_bench");
  fs::remove(root_ / "build/ci.yml");
  write("build/CMakeCache.txt", "x");
  EXPECT_EQ(inspect().bench.command, "build/run_bench");
}

TEST_F(Init, FollowsCMakesOutputFolderAndCustomTargets) {
  write(
      "CMakeLists.txt",
      "project(x)\nset(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
      "add_executable(app a.cc)\nadd_executable(unit_tests t.cc)\nadd_custom_target(bench app)\n");
  const auto findings = inspect();
  EXPECT_THAT(findings.executables, Contains("build/bin/app"));
  EXPECT_EQ(findings.check.command, "build/bin/unit_tests");
  EXPECT_EQ(findings.bench.command, "cmake --build build --target bench");
}

TEST_F(Init, AddSubdirectoryInACircleEnds) {
  write("CMakeLists.txt", "project(x)\nadd_subdirectory(.)\n");
  EXPECT_EQ(inspect().build_system, "CMake");
}

TEST_F(Init, FindsTheTargetsOfAMakefile) {
  write("Makefile",
        "CC := gcc\nVERSION=1:2\nprog: main.o \\\n  util.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -c "
        "$<\n"
        "all: prog\n.PHONY: all test bench clean\ntest: prog\n\t./prog --self-test\n"
        "bench: prog\n\t./prog -o out.txt\nclean:\n\trm -f prog\n");
  write("main.c", "");
  const auto findings = inspect();
  EXPECT_EQ(findings.build_system, "Make");
  EXPECT_THAT(findings.executables, ElementsAre("prog"));
  const auto manifest = written(findings);
  EXPECT_EQ(manifest.build.command, "make -j2 all");
  EXPECT_EQ(manifest.check.command, "make test");
  EXPECT_EQ(manifest.bench.command, "make bench");
  EXPECT_THAT(manifest.edit.allow, ElementsAre("*.c"));
}

TEST_F(Init, ATargetThatMakesAProgramIsBuiltAndStarted) {
  write("Makefile", "app: app.c\n\tcc -o app app.c\nbench: bench.c\n\tcc -O2 -o $@ $<\n");
  const auto findings = inspect();
  EXPECT_EQ(findings.build.command, "make -j2 app bench");
  EXPECT_EQ(findings.bench.command, "./bench");
}

TEST_F(Init, ScriptsFillWhatTheBuildSystemLeavesOpen) {
  write("Makefile", "all:\n\tcc a.c\n");
  write("run tests.sh", "", true);
  write("scripts/workbench.py", "");
  const auto findings = inspect();
  EXPECT_EQ(findings.build.command, "make -j2");
  EXPECT_EQ(findings.check.command, "'./run tests.sh'");
  EXPECT_EQ(findings.bench.command, "");
  write("scripts/bench.py", "");
  EXPECT_EQ(inspect().bench.command, "python3 scripts/bench.py");
}

TEST_F(Init, FindsAProjectOfPlainScriptsWithUnicodeNames) {
  write("build.sh", "", true);
  write("test_прог.sh", "");
  write("bench_速い.sh", "", true);
  write("lib/a.py", "");
  const auto findings = inspect();
  EXPECT_EQ(findings.build_system, "a script");
  const auto manifest = written(findings);
  EXPECT_EQ(manifest.build.command, "./build.sh");
  EXPECT_EQ(manifest.check.command, "sh 'test_прог.sh'");
  EXPECT_EQ(manifest.bench.command, "'./bench_速い.sh'");
  EXPECT_THAT(manifest.check.harness, ElementsAre("test_прог.sh"));
  EXPECT_THAT(manifest.bench.harness, ElementsAre("bench_速い.sh"));
}

TEST_F(Init, FindsTheServingExample) {
  const auto findings = inspect_program(ARBOR_SOURCE_ROOT "/examples/llm_serving");
  ASSERT_TRUE(findings) << findings.error().message;
  EXPECT_EQ(findings->build_system, "Make");
  EXPECT_THAT(findings->build.command, HasSubstr("make -j2"));
  EXPECT_THAT(findings->sources, Contains("src/**"));
}

TEST_F(Init, WhatIsNotFoundIsLeftForTheUserAndRefusedWithAdvice) {
  write("main.c", "int main(){}");
  const auto findings = inspect();
  EXPECT_EQ(findings.build_system, "");
  const std::string text = commented_manifest(findings);
  EXPECT_THAT(text, HasSubstr("# Not found: write a command that exits with 0 only if"));
  const auto manifest = parse_manifest(text, "arbor.toml");
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(manifest.error().message, HasSubstr("[build] command: is empty: write the command"));
  EXPECT_THAT(manifest.error().message, HasSubstr("[check] command: is empty: write the command"));
  EXPECT_THAT(manifest.error().message, HasSubstr("[bench] command: is empty: write the command"));
}

TEST_F(Init, NamesWithQuotesAndControlBytesCannotBreakTheFile) {
  write("build.sh", "", true);
  write("check \"a\"\n[bench].sh", "", true);
  write("bench.sh", "", true);
  EXPECT_EQ(written(inspect()).check.command, "'./check \"a\"\n[bench].sh'");
  write("bench_\xff.sh", "", true);
  fs::remove(root_ / "bench.sh");
  EXPECT_EQ(inspect().bench.command, "") << "TOML cannot hold a name that is not UTF-8";
}

TEST_F(Init, AnAbsentFolderIsAnError) {
  const auto findings = inspect_program(root_ / "absent");
  ASSERT_FALSE(findings);
  EXPECT_EQ(findings.error().kind, base::ErrorKind::kNotFound);
}

TEST_F(Init, TheCommentedExamplesOfTheFileAreValidToo) {
  write("build.sh", "", true);
  write("check.sh", "", true);
  write("bench.sh", "", true);
  std::string text = commented_manifest(inspect());
  const auto uncomment = [&](const std::string& line) {
    const auto at = text.find("# " + line);
    ASSERT_NE(at, std::string::npos) << line << "\n" << text;
    text.erase(at, 2);
  };
  for (const char* line :
       {"[[knob]]", "name = \"threads\"", "layer =", "kind =", "variable =", "default =",
        "values =", "activates =", "speedup =", "target_cpu =", "score =", "outputs =", "metric =",
        "guard =", "train =", "holdout =", "artefacts ="})
    uncomment(line);
  const auto manifest = parse_manifest(text, "arbor.toml");
  ASSERT_TRUE(manifest) << manifest.error().message << "\n" << text;
  EXPECT_EQ(manifest->knobs.size(), 1U);
  EXPECT_EQ(manifest->bench.guards.size(), 1U);
}

}  // namespace
}  // namespace arbor::app
