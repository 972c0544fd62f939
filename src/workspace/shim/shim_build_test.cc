// SPDX-License-Identifier: Apache-2.0
// Real builds through the real shim, mounted at its fixed paths: make, CMake and plain commands.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "workspace/shim/shim.h"
#include "workspace/shim/witness.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using Kind = CompileCommand::Kind;
using Words = std::vector<std::string>;

constexpr const char* kTree = "/home/u/my répo";

bool has_tool(const std::string& name) {
  base::ToolCall call;
  call.argv = {"sh", "-c", "command -v " + name};
  const auto output = base::run_tool(call);
  return output && output->exit_code == 0;
}

bool has_word(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

class ShimBuild : public testing::Test {
 protected:
  void SetUp() override {
    base::ToolCall probe;
    probe.argv = {"bwrap", "--ro-bind", "/", "/", "--unshare-user", "true"};
    const auto output = base::run_tool(probe);
    if (!output || output->exit_code != 0) GTEST_SKIP() << "bubblewrap cannot make mounts here";
    scratch_.emplace(base::ScratchDir::create(fs::temp_directory_path(), "shim-test-").value());
    for (const char* folder : {"tree", "record", "profile", "ccache", "trunk"})
      fs::create_directories(at(folder));
    const fs::path built = fs::read_symlink("/proc/self/exe").parent_path() / "arbor-shim";
    ASSERT_TRUE(make_shim_folder(at("shim"), built));
    folders_ = {at("shim"), at("plan"), at("record"), at("profile"), true, at("ccache"), {}, false};
    plan_.tree_path = kTree;
  }

  fs::path at(const std::string& name) const { return scratch_->path() / name; }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(base::write_file(at("tree") / name, text));
  }

  // A shell command in the tree, seen as a build sees it.
  base::ToolOutput shell(const std::string& command, std::map<std::string, std::string> more = {}) {
    EXPECT_TRUE(base::write_file(at("plan"), plan_text(plan_)));
    base::ToolCall call;
    call.argv = {"bwrap",         "--ro-bind",  "/",        "/",       "--proc",
                 "/proc",         "--dev",      "/dev",     "--tmpfs", "/run",
                 "--tmpfs",       "/home",      "--tmpfs",  "/tmp",    "--bind",
                 at("tree"),      kTree,        "--chdir",  kTree,     "--die-with-parent",
                 "--unshare-net", "--clearenv", "--setenv", "HOME",    "/tmp"};
    for (const auto& mount : shim_mounts(folders_))
      call.argv.insert(call.argv.end(),
                       {mount.is_writable ? "--bind" : "--ro-bind", mount.source, mount.target});
    auto variables = shim_environment(folders_);
    for (auto& [name, value] : more) variables[name] = value;
    for (const auto& [name, value] : variables)
      call.argv.insert(call.argv.end(), {"--setenv", name, value});
    call.argv.insert(call.argv.end(), {"sh", "-c", command});
    auto output = base::run_tool(call);
    EXPECT_TRUE(output) << output.error().message;
    return output.value_or(base::ToolOutput{});
  }

  // As shell, which must succeed; what it printed.
  std::string printed(const std::string& command, std::map<std::string, std::string> more = {}) {
    const auto output = shell(command, std::move(more));
    EXPECT_EQ(output.exit_code, 0) << command << "\n"
                                   << output.standard_output << output.standard_error;
    return output.standard_output;
  }

  std::vector<CompileCommand> commands() const {
    const auto text = base::read_file(at("record") / "commands.jsonl");
    if (!text) return {};
    auto parsed = parse_commands(*text, kTree);
    EXPECT_TRUE(parsed) << parsed.error().message;
    return parsed.value_or(std::vector<CompileCommand>{});
  }

  std::vector<CompileCommand> commands_of(Kind kind) const {
    auto found = commands();
    std::erase_if(found, [&](const CompileCommand& command) { return command.kind != kind; });
    return found;
  }

  void forget() { fs::remove(at("record") / "commands.jsonl"); }

  void write_small_program() {
    write("src/dot é.c",
          "double dot(const double* a, int n) {\n"
          "  double s = 0;\n"
          "  for (int i = 0; i < n; ++i) s += a[i] * a[i];\n"
          "  return s;\n}\n");
    write("main.c",
          "#include <stdio.h>\n"
          "double dot(const double*, int);\n"
          "int main(void) {\n"
          "  double a[3] = {1, 2, 3};\n"
          "  printf(\"%g\\n\", dot(a, 3));\n"
          "  return 0;\n}\n");
  }

  std::optional<base::ScratchDir> scratch_;
  ShimFolders folders_;
  ShimPlan plan_;
};

TEST_F(ShimBuild, CarriesGlobalFlagsThroughMakeAndRecordsEachCommand) {
  write_small_program();
  std::string makefile =
      "prog: main.o dot.o\n\t$(CC) $^ -o $@ -lm\n"
      "main.o: main.c\n\tcc -O1 -c main.c -o $@\n"
      "dot.o:\n\tcc -O1 -c 'src/dot é.c' -o $@\n";
  write("Makefile", makefile);
  plan_.flags = {{{"-O3"}, {"-O*"}, {}, false}};
  EXPECT_EQ(printed("make -s && ./prog"), "14\n");
  const auto compiles = commands_of(Kind::kCompile);
  ASSERT_EQ(compiles.size(), 2U);
  for (const auto& compile : compiles) {
    EXPECT_EQ(compile.final_argv.back(), "-O3");
    EXPECT_FALSE(has_word(compile.final_argv, "-O1"));
    EXPECT_EQ(compile.exit_code, 0);
    EXPECT_EQ(compile.directory, kTree);
  }
  EXPECT_EQ(compiles[1].sources, Words{"src/dot é.c"});
  EXPECT_EQ(commands_of(Kind::kLink)[0].outputs, Words{"prog"});
  EXPECT_FALSE(has_unrecorded_compiles(commands(), {"prog"}));
}

TEST_F(ShimBuild, ShowsABuildThatCallsItsCompilerByAbsolutePath) {
  write_small_program();
  printed("/usr/bin/cc -O2 main.c src/*.c -o prog");
  EXPECT_TRUE(has_unrecorded_compiles(commands(), {"prog"}));
}

TEST_F(ShimBuild, KeepsFastMathOfOneFileOffTheLink) {
  write_small_program();
  plan_.flags = {{{"-ffast-math"}, {}, {"src/dot é.c"}, false}};
  EXPECT_EQ(printed("gcc -O2 -v main.c src/*.c -o prog 2>link.txt; ./prog"), "14\n");
  EXPECT_EQ(base::read_file(at("tree") / "link.txt").value().find("crtfastmath.o"),
            std::string::npos);
  const auto compiles = commands_of(Kind::kCompile);
  ASSERT_EQ(compiles.size(), 2U);
  EXPECT_FALSE(has_word(compiles[0].final_argv, "-ffast-math"));
  EXPECT_TRUE(has_word(compiles[1].final_argv, "-ffast-math"));
  EXPECT_FALSE(has_word(commands_of(Kind::kLink).at(0).final_argv, "-ffast-math"));
  // Nothing of the objects in between is left.
  EXPECT_EQ(printed("gcc main.c src/*.c -o prog; ls /tmp"), "");
}

TEST_F(ShimBuild, CarriesFlagsThroughCmakeButNotIntoItsProbes) {
  if (!has_tool("cmake")) GTEST_SKIP() << "cmake is not installed";
  write_small_program();
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(p C CXX)\n"
        "include(CheckCSourceCompiles)\n"
        "check_c_source_compiles(\"int main(void){return 0;}\" WORKS)\n"
        "add_library(dot STATIC \"src/dot é.c\")\n"
        "add_executable(prog main.c)\ntarget_link_libraries(prog dot)\n");
  plan_.flags = {{{"-DARBOR_WAS_HERE"}, {}, {}, true}};
  printed("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j4");
  EXPECT_EQ(printed("build/prog"), "14\n");
  int with_flags = 0, probes = 0;
  for (const auto& command : commands()) {
    const bool has_flag = has_word(command.final_argv, "-DARBOR_WAS_HERE");
    if (command.kind == Kind::kProbe) {
      ++probes;
      EXPECT_FALSE(has_flag);
    } else if (command.kind != Kind::kOther) {
      ++with_flags;
      EXPECT_TRUE(has_flag) << base::shell_command(command.original_argv);
    }
  }
  EXPECT_EQ(with_flags, 3);
  EXPECT_GE(probes, 4);
}

TEST_F(ShimBuild, KeepsRecordsWholeInAParallelBuild) {
  std::string makefile = "all:";
  for (int i = 0; i < 40; ++i) makefile += " f" + std::to_string(i) + ".o";
  makefile +=
      "\nf%.o: f%.c\n\tcc " + std::string("-DLONG=") + std::string(6000, 'x') + " -c $< -o $@\n";
  for (int i = 0; i < 40; ++i) write("f" + std::to_string(i) + ".c", "int f;\n");
  write("Makefile", makefile);
  printed("make -s -j4");
  EXPECT_EQ(commands_of(Kind::kCompile).size(), 40U);
}

TEST_F(ShimBuild, PassesTheExitCodeOfAFailedCompileOn) {
  write("bad.c", "int f( {\n");
  const auto output = shell("cc -c bad.c");
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_NE(output.standard_error.find("bad.c:1"), std::string::npos);
  EXPECT_EQ(commands().at(0).exit_code, 1);
}

TEST_F(ShimBuild, RefusesToWorkWithoutAPlan) {
  write("a.c", "int a;\n");
  const auto output = shell("true");
  ASSERT_EQ(output.exit_code, 0);
  folders_.plan_file.clear();
  const auto refused = shell("cc -c a.c");
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.standard_error.find("plan"), std::string::npos);
  EXPECT_FALSE(fs::exists(at("tree") / "a.o"));
}

TEST_F(ShimBuild, SeesThroughACacheThatIsCalledAboveIt) {
  if (!has_tool("ccache")) GTEST_SKIP() << "ccache is not installed";
  write_small_program();
  plan_.flags = {{{"-DFIRST"}, {}, {}, false}};
  const std::string build =
      "ccache gcc -c main.c -o main.o && PATH=/usr/lib/ccache:$PATH gcc -c "
      "'src/dot é.c' -o dot.o && gcc main.o dot.o -o prog && ./prog";
  EXPECT_EQ(printed(build), "14\n");
  EXPECT_EQ(commands_of(Kind::kCompile).size(), 2U);
  forget();
  plan_.flags = {{{"-DSECOND"}, {}, {}, false}};
  EXPECT_EQ(printed(build), "14\n");
  const auto compiles = commands_of(Kind::kCompile);
  ASSERT_EQ(compiles.size(), 2U);  // served from no cache
  EXPECT_TRUE(has_word(compiles[0].final_argv, "-DSECOND"));
  EXPECT_TRUE(has_word(compiles[1].final_argv, "-DSECOND"));
}

TEST_F(ShimBuild, LetsCcacheBelowSeeTheFlags) {
  if (!has_tool("ccache")) GTEST_SKIP() << "ccache is not installed";
  write("value.c", "#include <stdio.h>\nint main(void) { printf(\"%d\", VALUE); return 0; }\n");
  plan_.uses_ccache = true;
  const std::string build = "gcc -c value.c -o value.o && gcc value.o -o value && ./value";
  plan_.flags = {{{"-DVALUE=1"}, {}, {}, false}};
  EXPECT_EQ(printed(build), "1");
  plan_.flags = {{{"-DVALUE=2"}, {}, {}, false}};
  EXPECT_EQ(printed(build), "2");
  EXPECT_EQ(printed(build), "2");
  const auto statistics = printed("CCACHE_DISABLE= /usr/bin/ccache --print-stats");
  EXPECT_NE(statistics.find("cache_miss\t2"), std::string::npos) << statistics;
  EXPECT_NE(statistics.find("cache_hit\t1"), std::string::npos) << statistics;
}

TEST_F(ShimBuild, ReadsTheTrunksCacheWithoutWritingToIt) {
  if (!has_tool("ccache")) GTEST_SKIP() << "ccache is not installed";
  write("a.c", "int a;\n");
  write("b.c", "int b;\n");
  plan_.uses_ccache = true;
  folders_.trunk_ccache_folder = at("trunk");
  folders_.is_trunk_ccache_writable = true;
  printed("gcc -c a.c");
  const auto files_of_trunk = [&] {
    return std::distance(fs::recursive_directory_iterator(at("trunk")), {});
  };
  const auto before = files_of_trunk();
  EXPECT_GT(before, 0);
  fs::create_directories(at("other"));
  folders_.ccache_folder = at("other");
  folders_.is_trunk_ccache_writable = false;
  printed("gcc -c a.c && gcc -c b.c");
  EXPECT_EQ(files_of_trunk(), before);
  const auto statistics = printed("CCACHE_DISABLE= /usr/bin/ccache --print-stats");
  EXPECT_NE(statistics.find("remote_storage_hit\t1"), std::string::npos) << statistics;
}

TEST_F(ShimBuild, LinksAStaticLibraryOfLinkTimeObjects) {
  write_small_program();
  plan_.flags = {{{"-O2", "-flto", "-fno-fat-lto-objects"}, {}, {}, true}};
  const std::string build =
      "rm -f *.o *.a; $CC -c main.c && $CC -c src/*.c -o dot.o && "
      "ar rcs libdot.a dot.o && ranlib libdot.a && nm libdot.a && "
      "$CC main.o -L. -ldot -o prog && ./prog";
  EXPECT_TRUE(printed(build, {{"CC", "gcc"}}).ends_with("14\n"));
  if (!has_tool("clang-19") || !has_tool("ld.lld")) GTEST_SKIP() << "no clang-19 with lld";
  plan_.flags = {{{"-O2", "-flto", "-fuse-ld=lld"}, {}, {}, true}};
  plan_.compiler = domain::CompilerChoice{"clang-19", "clang++-19"};
  EXPECT_TRUE(printed(build, {{"CC", "gcc"}}).ends_with("14\n"));
}

TEST_F(ShimBuild, BuildsWithTheChosenCompiler) {
  if (!has_tool("clang-19")) GTEST_SKIP() << "clang-19 is not installed";
  write("who.cc",
        "#include <cstdio>\nint main() {\n#ifdef __clang__\nstd::puts(\"clang\");\n"
        "#else\nstd::puts(\"gcc\");\n#endif\n}\n");
  EXPECT_EQ(printed("c++ who.cc -o who && ./who"), "gcc\n");
  plan_.compiler = domain::CompilerChoice{"clang-19", "clang++-19"};
  EXPECT_EQ(printed("c++ who.cc -o who && ./who"), "clang\n");
  EXPECT_EQ(printed("ccache g++ -c who.cc && g++ who.o -o who && ./who"), "clang\n");
}

TEST_F(ShimBuild, TakesALinkLongerThanTheKernelDoes) {
  std::string path, response = "-O1\n";
  for (int i = 0; i < 1000; ++i) path += "./";
  for (int i = 0; i < 1300; ++i) response += path + "libb.a\n";
  write("args.rsp", response);
  write("b.c", "int b;\n");
  write("a.c", "int main(void) { return 0; }\n");
  plan_.flags = {{{"-O2"}, {"-O*"}, {}, true}};
  printed(
      "gcc -c a.c b.c && ar rcs libb.a b.o && gcc a.o @args.rsp -o a && ./a && test -z \"$(ls "
      "/tmp)\"");
  EXPECT_FALSE(has_word(commands_of(Kind::kLink).at(0).final_argv, "-O1"));
}

// A program in folders, built in parallel, whose server form waits to be stopped.
class ShimProfile : public ShimBuild {
 protected:
  void SetUp() override {
    ShimBuild::SetUp();
    if (IsSkipped()) return;
    write("lib/deep é/work.c",
          "int work(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i)\n"
          "    if (i % 3) s += i; else s -= 1;\n  return s;\n}\n");
    write("main.c",
          "#include <stdio.h>\n#include <unistd.h>\nint work(int);\n"
          "int main(int count, char** words) {\n  (void)words;\n"
          "  printf(\"%d\\n\", work(1000));\n  fflush(stdout);\n"
          "  while (count > 1) pause();\n  return 0;\n}\n");
    write("Makefile",
          "prog: obj/main.o obj/work.o obj/libx.so\n"
          "\tcc obj/main.o obj/work.o -o $@\n"
          "obj/libx.so: obj\n\tcc -shared -fPIC lib/*/work.c -o $@\n"
          "obj/main.o: obj\n\tcc -O2 -c main.c -o $@\n"
          "obj/work.o: obj\n\tcd lib && cc -O2 -c 'deep é/work.c' -o ../obj/work.o\n"
          "obj:\n\tmkdir -p obj\n");
  }

  // A clean build of the phase; the bytes of the object that the profile is about.
  std::string object_of(ShimPlan::Pgo pgo) {
    plan_.pgo = pgo;
    folders_.is_profile_writable = pgo == ShimPlan::Pgo::kGenerate;
    printed("rm -rf obj prog && make -s -j4");
    return base::read_file(at("tree") / "obj/work.o").value_or("");
  }

  // Started, stopped by the signal once it answered, and gone in the way that the signal says.
  void serve_until(const std::string& signal) {
    printed("mkfifo p; ./prog serve >p & read line <p; kill -" + signal +
            " $!; wait $!; s=$?; rm p; test $s -gt 128");
  }

  void expect_round_trip(const std::string& compiler) {
    const std::string plain = object_of(ShimPlan::Pgo::kNone);
    object_of(ShimPlan::Pgo::kGenerate);
    EXPECT_FALSE(finish_profile(at("profile"), compiler).value()) << "nothing ran yet";
    printed("./prog");
    EXPECT_TRUE(finish_profile(at("profile"), compiler).value());
    const std::string guided = object_of(ShimPlan::Pgo::kUse);
    EXPECT_NE(guided, plain);
    EXPECT_EQ(printed("./prog"), "332333\n");
  }
};

TEST_F(ShimProfile, GuidesGccWithWhatATrainingRunLeft) { expect_round_trip("g++"); }

TEST_F(ShimProfile, GuidesClangWithWhatATrainingRunLeft) {
  if (!has_tool("clang-19") || !has_tool("llvm-profdata-19"))
    GTEST_SKIP() << "clang-19 with llvm-profdata-19 is not installed";
  plan_.compiler = domain::CompilerChoice{"clang-19", "clang++-19"};
  expect_round_trip("clang++-19");
}

TEST_F(ShimProfile, KeepsTheProfileOfAServerThatASignalStops) {
  object_of(ShimPlan::Pgo::kGenerate);
  for (const char* signal : {"TERM", "HUP"}) {
    for (const auto& file : fs::directory_iterator(at("profile"))) fs::remove(file.path());
    EXPECT_FALSE(finish_profile(at("profile"), "").value());
    serve_until(signal);
    EXPECT_TRUE(finish_profile(at("profile"), "").value()) << signal;
  }
}

TEST_F(ShimProfile, LeavesTheProgramsOwnHandlerInCharge) {
  write("main.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "#include <unistd.h>\nint work(int);\n"
        "static void stop(int n) { (void)n; exit(7); }\n"
        "int main(void) {\n  signal(SIGTERM, stop);\n  printf(\"%d\\n\", work(9));\n"
        "  raise(SIGTERM);\n  return 0;\n}\n");
  object_of(ShimPlan::Pgo::kGenerate);
  EXPECT_EQ(shell("./prog").exit_code, 7);
  EXPECT_TRUE(finish_profile(at("profile"), "").value());
}

TEST_F(ShimProfile, BuildsOnWhenASourceChangedAfterTheTraining) {
  object_of(ShimPlan::Pgo::kGenerate);
  printed("./prog");
  write("lib/deep é/work.c", "int work(int n) { while (n > 5) n -= 3; return n; }\n");
  plan_.flags = {{{"-Wall", "-Werror"}, {}, {}, false}};
  object_of(ShimPlan::Pgo::kUse);
  EXPECT_EQ(printed("./prog"), "4\n");
}

TEST_F(ShimBuild, WitnessesWhatAProcessWasStartedWith) {
  write("main.c",
        "#include <math.h>\n#include <stdio.h>\n"
        "int main(int c, char** v) { (void)v; printf(\"%g\\n\", cos(c)); return 0; }\n");
  printed("gcc main.c -o 'my prog' -lm");
  const std::string preload(kWitnessFile);
  EXPECT_EQ(printed("LD_PRELOAD=" + preload + " SPEED='a=b\nc' './my prog'"), "0.540302\n");
  const auto witnesses = read_witnesses(at("record"));
  ASSERT_TRUE(witnesses) << witnesses.error().message;
  ASSERT_EQ(witnesses->size(), 1U);
  const Witness& witness = witnesses->front();
  EXPECT_EQ(witness.executable, std::string(kTree) + "/my prog");
  EXPECT_EQ(witness.environment.at("SPEED"), "a=b\nc");
  EXPECT_TRUE(std::ranges::any_of(witness.libraries, [](const std::string& library) {
    return library.find("libm.so") != std::string::npos;
  }));
  EXPECT_TRUE(has_word(witness.libraries, kWitnessFile));
}

}  // namespace
}  // namespace arbor::workspace
