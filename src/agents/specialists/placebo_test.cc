// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "agents/specialists/sample_evidence.h"
#include "base/files.h"
#include "base/subprocess.h"

namespace arbor::agents {
namespace {
namespace fs = std::filesystem;

constexpr const char* kName = "placebo";
constexpr const char* kSource =
    "#include <stdio.h>\n"
    "__attribute__((noinline)) static void say(const char* text) { puts(text); }\n"
    "__attribute__((noinline)) static void greet(void) { say(\"hello\"); }\n"
    "int main(void) { greet(); return 0; }\n";

SampleProgram small_program() {
  SampleProgram program;
  program.compile("main.c", {"-O2"}, "gcc");
  program.sources["main.c"] = kSource;
  return program;
}

// Builds the program with a change and returns the bytes of what is loaded when it runs.
std::string loaded_bytes(const domain::Change& change) {
  auto scratch = base::ScratchDir::create(fs::temp_directory_path(), "arbor-placebo-");
  EXPECT_TRUE(scratch.has_value());
  EXPECT_TRUE(base::write_file(scratch->path() / "main.c", kSource).has_value());
  base::ToolCall compile;
  compile.cwd = scratch->path();
  compile.argv = {"gcc", "-O2", "main.c", "-o", "main", "-Wl,--build-id=none"};
  for (const auto& entry : change.entries) {
    if (const auto* flags = std::get_if<domain::CompilerFlags>(&entry))
      compile.argv.insert(compile.argv.end(), flags->add.begin(), flags->add.end());
    if (const auto* patch = std::get_if<domain::SourcePatch>(&entry)) {
      base::ToolCall apply;
      apply.argv = {"git", "apply", "-"};
      apply.cwd = scratch->path();
      apply.standard_input = patch->diff;
      const auto done = base::run_tool_ok(apply);
      EXPECT_TRUE(done.has_value()) << done.error().message;
    }
  }
  const auto built = base::run_tool_ok(compile);
  EXPECT_TRUE(built.has_value()) << built.error().message;
  base::ToolCall run;
  run.argv = {(scratch->path() / "main").string()};
  EXPECT_EQ(base::run_tool_ok(run).value_or("did not run"), "hello\n");
  base::ToolCall strip;
  strip.cwd = scratch->path();
  strip.argv = {"objcopy", "--strip-all", "main", "stripped"};
  EXPECT_TRUE(base::run_tool_ok(strip).has_value());
  return base::read_file(scratch->path() / "stripped").value_or("");
}

TEST(Placebo, ProgramsRunAsBeforeAndAreYetOtherPrograms) {
  const auto program = small_program();
  const auto actions = program.propose(kName);
  ASSERT_GE(actions.size(), 7u);
  std::set<std::string> different = {loaded_bytes({})};
  for (const auto& action : actions) {
    const auto change = program.carry_out(action);
    ASSERT_TRUE(change.has_value()) << change.error().message;
    EXPECT_TRUE(different.insert(loaded_bytes(*change)).second) << action.title;
  }
}

TEST(Placebo, IsNotProposedWhereItStandsOrWhereNothingIsCompiled) {
  auto program = small_program();
  const auto before = program.propose(kName).size();
  program.sources["main.c"] +=
      "__attribute__((used, noinline)) static int arbor_uncalled(int value) {\n";
  EXPECT_EQ(program.propose(kName).size(), before - 1);
  EXPECT_TRUE(SampleProgram().propose(kName).empty());
}

}  // namespace
}  // namespace arbor::agents
