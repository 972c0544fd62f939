// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "base/text.h"

namespace arbor::workspace {
namespace {
using Kind = CompileCommand::Kind;
using Files = std::map<std::string, std::string>;

domain::CompilerFlags flags(std::vector<std::string> add, std::vector<std::string> remove = {},
                            std::vector<std::string> files = {}, bool reaches_link = false) {
  return {std::move(add), std::move(remove), std::move(files), reaches_link};
}

ShimPlan plan_with(std::vector<domain::CompilerFlags> entries) {
  ShimPlan plan;
  plan.flags = std::move(entries);
  plan.tree_path = "/repo";
  return plan;
}

std::vector<std::string> words(std::string_view text) { return split_response(text); }

Rewriting rewritten(std::string_view command, const ShimPlan& plan, const Files& files = {},
                    CompilerFamily family = CompilerFamily::kGcc, std::string cwd = "/repo") {
  DriverCall call{words(command), std::move(cwd), "/bin/real", {}, family, "/scratch"};
  return rewrite(call, plan, [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
}

// All steps, each as one line of text.
std::vector<std::string> steps_of(std::string_view command, const ShimPlan& plan,
                                  const Files& files = {},
                                  CompilerFamily family = CompilerFamily::kGcc,
                                  std::string cwd = "/repo") {
  std::vector<std::string> lines;
  for (const auto& step : rewritten(command, plan, files, family, std::move(cwd)).steps)
    lines.push_back(base::join(step.argv, " "));
  return lines;
}

using Lines = std::vector<std::string>;
const ShimPlan kFaster = plan_with({flags({"-O3", "-march=native"}, {"-O*"})});

TEST(Rewrite, PutsFlagsBehindTheProgramsOwn) {
  EXPECT_EQ(steps_of("gcc -O1 -Wall -c a.c -o a.o", kFaster),
            Lines{"/bin/real -Wall -c a.c -o a.o -O3 -march=native"});
}

TEST(Rewrite, RemovesExactSpellingsAndPrefixes) {
  const auto plan = plan_with({flags({}, {"-fno-inline", "-mtune=*"})});
  EXPECT_EQ(steps_of("gcc -fno-inline -fno-inline-small -mtune=generic -c a.c", plan),
            Lines{"/bin/real -fno-inline-small -c a.c"});
}

TEST(Rewrite, NeverRemovesWhatTheCommandIsAbout) {
  const auto plan = plan_with({flags({}, {"-*", "a*", "*"})});
  EXPECT_EQ(steps_of("gcc -O2 -c a.c -o a.o", plan), Lines{"/bin/real -c a.c -o a.o"});
}

TEST(Rewrite, RemovesAnOptionTogetherWithItsValue) {
  const auto plan = plan_with({flags({}, {"-include"})});
  EXPECT_EQ(steps_of("gcc -include slow.h -c a.c", plan), Lines{"/bin/real -c a.c"});
}

TEST(Rewrite, AppliesEntriesInOrderSoThatALaterOneTakesBackAnEarlierOne) {
  const auto plan = plan_with({flags({"-O2", "-funroll-loops"}), flags({"-O3"}, {"-O*"})});
  EXPECT_EQ(steps_of("gcc -O0 -c a.c", plan), Lines{"/bin/real -c a.c -funroll-loops -O3"});
}

TEST(Rewrite, GivesPerFileFlagsToMatchingSourcesOnly) {
  const auto plan = plan_with({flags({"-ffast-math"}, {}, {"src/dot.c"})});
  EXPECT_EQ(steps_of("gcc -c src/dot.c", plan), Lines{"/bin/real -c src/dot.c -ffast-math"});
  EXPECT_EQ(steps_of("gcc -c src/main.c", plan), Lines{"/bin/real -c src/main.c"});
}

TEST(Rewrite, MatchesAPathHoweverItIsWritten) {
  const auto plan = plan_with({flags({"-O3"}, {}, {"src/a b/ü.c"})});
  for (const char* source :
       {"'src/a b/ü.c'", "'./src/../src/a b//ü.c'", "'/repo/src/a b/ü.c'", "'../repo/src/a b/ü.c'"})
    EXPECT_TRUE(steps_of(std::string("gcc -c ") + source, plan)[0].ends_with("-O3")) << source;
  EXPECT_TRUE(steps_of("gcc -c ../src/a\\ b/ü.c", plan, {}, CompilerFamily::kGcc, "/repo/build")[0]
                  .ends_with("-O3"));
  EXPECT_FALSE(steps_of("gcc -c '/other/src/a b/ü.c'", plan)[0].ends_with("-O3"));
}

TEST(Rewrite, CompilesOneByOneWhereSourcesNeedDifferentFlags) {
  const auto plan = plan_with({flags({"-O3"}, {}, {"a.c"})});
  EXPECT_EQ(steps_of("gcc -Wall -c a.c b.c", plan),
            (Lines{"/bin/real -Wall -c a.c -O3", "/bin/real -Wall -c b.c"}));
}

TEST(Rewrite, SplitsACommandThatLinksToKeepFastMathOffTheLink) {
  const auto plan = plan_with({flags({"-ffast-math"}, {}, {"a.c"})});
  EXPECT_EQ(steps_of("gcc -O2 a.c b.o -o prog -L lib -lm", plan),
            (Lines{"/bin/real -O2 a.c -c -o /scratch/1-a.o -ffast-math",
                   "/bin/real -O2 /scratch/1-a.o b.o -o prog -L lib -lm"}));
}

TEST(Rewrite, KeepsOneCommandWhereTheFlagsCannotChangeTheLink) {
  EXPECT_EQ(steps_of("gcc -O2 a.c b.c -o prog -lm", kFaster),
            Lines{"/bin/real a.c b.c -o prog -lm -O3 -march=native"});
}

TEST(Rewrite, DropsTheLanguageWhereASplitCommandLinks) {
  const auto plan = plan_with({flags({"-ffast-math"}, {}, {"a"})});
  EXPECT_EQ(steps_of("gcc -x c a -x none b.o -o prog", plan),
            (Lines{"/bin/real -x c a -x none -c -o /scratch/1-a.o -ffast-math",
                   "/bin/real /scratch/1-a.o b.o -o prog"}));
}

TEST(Rewrite, WritesDependenciesOfASplitCommandWhereTheDriverWould) {
  const auto plan = plan_with({flags({"-ffast-math"}, {}, {"a.c"})});
  EXPECT_EQ(steps_of("gcc -MMD a.c -o bin/prog", plan)[0],
            "/bin/real -MMD a.c -c -o /scratch/1-a.o -MF bin/prog-a.d -MT bin/prog -ffast-math");
}

TEST(Rewrite, LeavesALinkAloneUnlessTheFlagsReachIt) {
  const auto plan = plan_with({flags({"-O3"}), flags({"-fwhole-program"}, {"-g"}, {}, true)});
  EXPECT_EQ(steps_of("gcc -O1 -g a.o -o prog -lm", plan),
            Lines{"/bin/real -O1 a.o -o prog -lm -fwhole-program"});
}

TEST(Rewrite, PutsLibrariesBehindObjectsAndBeforeTheProgramsLibraries) {
  const auto plan = plan_with({flags({"-Wl,--no-as-needed", "-lmimalloc", "-O3"}, {}, {}, true)});
  EXPECT_EQ(steps_of("gcc a.o b.o -lm -o prog -lpthread", plan),
            Lines{"/bin/real a.o b.o -Wl,--no-as-needed -lmimalloc -lm -o prog -lpthread -O3"});
  EXPECT_EQ(steps_of("gcc -o prog a.o", plan),
            Lines{"/bin/real -o prog a.o -Wl,--no-as-needed -lmimalloc -O3"});
}

TEST(Rewrite, PutsLinkTimeOptimisationOnBothSidesWhoeverForgotTo) {
  const auto plan = plan_with({flags({"-O3", "-flto=auto"})});
  EXPECT_EQ(steps_of("gcc -c a.c", plan), Lines{"/bin/real -c a.c -O3 -flto=auto"});
  EXPECT_EQ(steps_of("gcc a.o -o prog", plan), Lines{"/bin/real a.o -o prog -flto=auto"});
  EXPECT_EQ(steps_of("gcc a.c -o prog", plan), Lines{"/bin/real a.c -o prog -O3 -flto=auto"});
}

TEST(Rewrite, InsertsBeforeTheEndOfOptions) {
  EXPECT_EQ(steps_of("clang -c -- -a.c", kFaster), Lines{"/bin/real -c -O3 -march=native -- -a.c"});
}

TEST(Rewrite, GivesProbesTheCompilerWithoutFlags) {
  for (const char* probe :
       {"gcc --version", "gcc -O2 -dumpversion", "gcc -print-prog-name=ld", "gcc -v",
        "gcc -O2 -c conftest.c", "gcc conftest.o -o conftest", "gcc -E a.c", "gcc -x c -",
        "gcc -M a.c", "gcc -### -c a.c", "gcc -c -x c /dev/null -o x.o", "gcc -fsyntax-only a.c",
        "gcc -c build/CMakeFiles/CMakeScratch/TryCompile-1/t.c", "gcc -O2",
        "gcc build/meson-private/tmp1/testfile.c -o build/meson-private/tmp1/output.exe",
        "gcc CMakeFiles/3.25/CompilerIdC/CMakeCCompilerId.c"}) {
    const auto rewriting = rewritten(probe, kFaster);
    ASSERT_EQ(rewriting.steps.size(), 1U) << probe;
    EXPECT_EQ(rewriting.steps[0].kind, Kind::kProbe) << probe;
    auto expected = words(probe);
    expected[0] = "/bin/real";
    EXPECT_EQ(rewriting.steps[0].argv, expected) << probe;
  }
}

TEST(Rewrite, KnowsAProbeByItsFolder) {
  EXPECT_EQ(steps_of("gcc -c t.c", kFaster, {}, CompilerFamily::kGcc, "/repo/CMakeFiles/CMakeTmp"),
            Lines{"/bin/real -c t.c"});
}

TEST(Rewrite, DoesNotTakeARealSourceForAProbe) {
  for (const char* source :
       {"CompilerIdentity.cc", "my_conftest.c", "tests/conftest_reader.c", "meson-private.c"})
    EXPECT_TRUE(steps_of(std::string("gcc -c ") + source, kFaster)[0].ends_with("-march=native"))
        << source;
}

TEST(Rewrite, DoesNotJudgeTheFoldersAboveTheRepository) {
  ShimPlan plan = kFaster;
  plan.tree_path = "/home/CMakeTmp/repo";
  EXPECT_EQ(steps_of("gcc -c a.c", plan, {}, CompilerFamily::kGcc, "/home/CMakeTmp/repo"),
            Lines{"/bin/real -c a.c -O3 -march=native"});
}

TEST(Rewrite, ReadsResponseFilesAndNamesThemAgainWhereNothingChanged) {
  const Files files = {{"args", "-c 'a b.c' -o x.o"}};
  EXPECT_EQ(steps_of("gcc -O1 @args", kFaster, files), Lines{"/bin/real @args -O3 -march=native"});
  EXPECT_EQ(rewritten("gcc @args", kFaster, files).steps[0].sources, Lines{"a b.c"});
}

TEST(Rewrite, UnfoldsAResponseFileThatHoldsWhatMustGo) {
  const Files files = {{"args", "-O1 -c @more"}, {"more", "a.c"}};
  EXPECT_EQ(steps_of("gcc @args", kFaster, files), Lines{"/bin/real -c a.c -O3 -march=native"});
}

TEST(Rewrite, UnfoldsAResponseFileThatTearsAnOptionFromItsValue) {
  const Files files = {{"args", "x.o -c a.c"}};
  EXPECT_EQ(steps_of("gcc -o @args", kFaster, files),
            Lines{"/bin/real -o x.o -c a.c -O3 -march=native"});
}

TEST(Rewrite, SurvivesAResponseFileThatNamesItself) {
  const Files files = {{"loop", "@loop @loop -c a.c"}};
  const auto rewriting = rewritten("gcc @loop", kFaster, files);
  EXPECT_EQ(rewriting.steps.back().kind, Kind::kCompile);
}

TEST(Rewrite, GeneratesAProfileOnBothSides) {
  ShimPlan plan = plan_with({});
  plan.pgo = ShimPlan::Pgo::kGenerate;
  const std::string generate = "-fprofile-generate=/run/arbor/profile -fprofile-update=atomic";
  EXPECT_EQ(steps_of("gcc -c a.c", plan), Lines{"/bin/real -c a.c " + generate});
  EXPECT_EQ(steps_of("gcc a.o -o p -lm", plan),
            Lines{"/bin/real a.o -o p /run/arbor/shim/bin/arbor_profile_dump.o "
                  "-Wl,-u,__gcov_dump -lm " +
                  generate});
}

TEST(Rewrite, LinksTheDumpOnlyWhereItCanWork) {
  ShimPlan plan = plan_with({});
  plan.pgo = ShimPlan::Pgo::kGenerate;
  for (const char* bare : {"gcc -r a.o -o b.o", "gcc -nostdlib a.o", "gcc -m32 a.o -o p"})
    EXPECT_EQ(steps_of(bare, plan)[0].find("arbor_profile_dump"), std::string::npos) << bare;
  EXPECT_NE(steps_of("g++ -shared -nostdlib a.o", plan)[0].find("arbor_profile_dump"),
            std::string::npos);
}

TEST(Rewrite, KeepsTheDumpAnObjectBehindALanguageOverride) {
  ShimPlan plan = plan_with({});
  plan.pgo = ShimPlan::Pgo::kGenerate;
  EXPECT_EQ(steps_of("clang -x c++ a -o p", plan, {}, CompilerFamily::kClang),
            Lines{"/bin/real -x c++ a -o p -x none /run/arbor/shim/bin/arbor_profile_dump.o "
                  "-fprofile-generate=/run/arbor/profile -fprofile-update=atomic"});
}

TEST(Rewrite, UsesAProfileInTheCompilersOwnForm) {
  ShimPlan plan = plan_with({});
  plan.pgo = ShimPlan::Pgo::kUse;
  EXPECT_NE(steps_of("gcc -c a.c", plan)[0].find("-fprofile-use=/run/arbor/profile -fprofile-corr"),
            std::string::npos);
  EXPECT_NE(steps_of("clang -c a.c", plan, {}, CompilerFamily::kClang)[0].find(
                "-fprofile-use=/run/arbor/profile/default.profdata"),
            std::string::npos);
}

TEST(Rewrite, AddsDebugInformationLastSoThatItStays) {
  ShimPlan plan = plan_with({flags({"-fomit-frame-pointer"}, {"-g*"})});
  plan.wants_debug_info = true;
  EXPECT_EQ(steps_of("gcc -g0 -c a.c", plan),
            Lines{"/bin/real -c a.c -fomit-frame-pointer -g -fno-omit-frame-pointer"});
}

TEST(Rewrite, NamesWhatEachCommandReadsAndWrites) {
  const auto step = [](std::string_view command) { return rewritten(command, kFaster).steps[0]; };
  EXPECT_EQ(step("gcc -c d/a.c b.cc").outputs, (Lines{"a.o", "b.o"}));
  EXPECT_EQ(step("gcc -S d/a.c").outputs, Lines{"a.s"});
  EXPECT_EQ(step("gcc a.c").outputs, Lines{"a.out"});
  EXPECT_EQ(step("gcc -oprog a.o").outputs, Lines{"prog"});
  EXPECT_EQ(step("g++ all.hpp").outputs, Lines{"all.hpp.gch"});
  EXPECT_EQ(step("g++ all.hpp").kind, Kind::kCompile);
  EXPECT_EQ(step("g++ lib.so.3 x.o").kind, Kind::kLink);
  EXPECT_EQ(step("g++ -c x.o").kind, Kind::kOther);
}

// The words an arbitrary command is made of, hostile ones included.
std::vector<std::string> random_command(base::Random& random) {
  static const std::vector<std::string> kWords = {"-c",
                                                  "-o",
                                                  "a.c",
                                                  "b.cc",
                                                  "c.o",
                                                  "-O2",
                                                  "-x",
                                                  "c++",
                                                  "-",
                                                  "--",
                                                  "-lm",
                                                  "-l",
                                                  "@f",
                                                  "@loop",
                                                  "-S",
                                                  "-E",
                                                  "-MMD",
                                                  "-MF",
                                                  "d.d",
                                                  "-Wl,a",
                                                  "-Xlinker",
                                                  "",
                                                  "\n",
                                                  "-g",
                                                  "lib.a",
                                                  "x.so.1",
                                                  "-I",
                                                  "ü/é.c",
                                                  "-D",
                                                  "A=\"\"",
                                                  "-shared",
                                                  "@",
                                                  "-o=",
                                                  "-r",
                                                  "conftest.c",
                                                  "\xff\xfe.c",
                                                  "-march=native",
                                                  "-flto",
                                                  "h.hpp"};
  std::vector<std::string> argv = {"gcc"};
  for (auto left = random.below(12); left > 0; --left)
    argv.push_back(kWords[random.below(kWords.size())]);
  return argv;
}

ShimPlan random_plan(base::Random& random) {
  ShimPlan plan = plan_with({});
  for (auto left = random.below(4); left > 0; --left)
    plan.flags.push_back(
        flags({"-OURS", "-ffast-math", "-lOURS"}, {},
              random.coin() ? std::vector<std::string>{"a.c"} : std::vector<std::string>{},
              random.coin()));
  plan.pgo = static_cast<ShimPlan::Pgo>(random.below(3));
  plan.wants_debug_info = random.coin();
  return plan;
}

TEST(Rewrite, NeverLosesAnArgumentOfTheProgramWhateverTheCommand) {
  const Files files = {{"f", "-O1 -DX 'q r.c'"}, {"loop", "@loop z.o"}};
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    auto random = base::Random::stream(7, "argv", seed);
    const auto argv = random_command(random);
    const ShimPlan plan = random_plan(random);
    DriverCall call{argv, "/repo", "/bin/real", {}, CompilerFamily::kGcc, "/scratch"};
    const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
      const auto found = files.find(path);
      return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    const auto rewriting = rewrite(call, plan, reader);
    ASSERT_FALSE(rewriting.steps.empty()) << "seed " << seed;
    std::vector<std::string> said;
    for (const auto& step : rewriting.steps) {
      ASSERT_EQ(step.argv[0], "/bin/real");
      const auto unfolded = parse_command_line(step.argv, reader);
      for (const auto& argument : unfolded.arguments)
        said.insert(said.end(), argument.words.begin(), argument.words.end());
    }
    for (const auto& argument : parse_command_line(argv, reader).arguments) {
      // A split command's link has no language: its inputs are objects.
      if (rewriting.uses_scratch && argument.role == ArgumentRole::kLanguage) continue;
      for (const auto& word : argument.words)
        ASSERT_NE(std::ranges::find(said, word), said.end())
            << "seed " << seed << " lost '" << word << "' of " << base::shell_command(argv);
    }
  }
}

}  // namespace
}  // namespace arbor::workspace
