// SPDX-License-Identifier: Apache-2.0
#include "app/init/propose.h"

#include <gmock/gmock.h>

#include "app/cli/say.h"
#include "app/config/manifest_file.h"
#include "app/init/probe.h"
#include "workspace/repository_fixture.h"

namespace arbor::app {
namespace {
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

#define ARBOR_SKIP_WITHOUT_SANDBOX(said)                                                     \
  if ((said).code == kExitEnvironment || (said).err.find("bubblewrap") != std::string::npos) \
  GTEST_SKIP() << (said).err

// Programs whose folder names neither check nor bench, built and started by 'arbor init --yes'.
class Guess : public workspace::RepositoryFixture {
 protected:
  std::filesystem::path root() const { return scratch() / "the program"; }

  Said init(const std::string& source, std::vector<std::string> more = {}) {
    make_repository(root(), {{"Makefile", "app: app.c\n\tcc -O1 -o app app.c\n"},
                             {"app.c", "#include <stdio.h>\n#include <stdlib.h>\n" + source}});
    return again(std::move(more));
  }
  Said again(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"init", "--yes", "-C", root().string()};
    words.insert(words.end(), more.begin(), more.end());
    return say(words);
  }
  // The manifest as doctor reads it.
  domain::Manifest manifest() const {
    const auto loaded = load_manifest(root());
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? loaded->manifest : domain::Manifest{};
  }
};

TEST_F(Guess, TakesTheOneProgramForTheBenchAndItsOutputForTheCheck) {
  const auto said = init(
      "#include <time.h>\n#include <unistd.h>\nint main(void) { struct timespec t; "
      "clock_gettime(CLOCK_REALTIME, &t);\n"
      "printf(\"sum = 42.5\\nrun by %d at %ld\\nTime in seconds = 0.1\\n\", getpid(), t.tv_nsec); "
      "return 3; }\n");
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  ASSERT_EQ(said.code, kExitDone) << said.out << said.err;
  const auto guessed = manifest();
  EXPECT_EQ(guessed.bench.command, "./app");
  EXPECT_EQ(guessed.bench.metric.reader, "wall");
  ASSERT_EQ(guessed.check.outputs.size(), 1U);
  EXPECT_EQ(guessed.check.outputs.front().file, "-");
  EXPECT_EQ(guessed.check.outputs.front().rtol, 1e-6);
  EXPECT_THAT(guessed.check.command, AllOf(HasSubstr("grep -avE"), HasSubstr("exit $code"),
                                           HasSubstr("run *by"), HasSubstr("Time *in *seconds")));
  EXPECT_THAT(text_of(root() / "arbor.toml"),
              AllOf(HasSubstr("# A guess: app is what the build makes"),
                    HasSubstr("# It ends with code 3, and so must a candidate."),
                    HasSubstr("#   Time in seconds = 0.1"), HasSubstr("# Sharpen it: ")));
  EXPECT_THAT(said.out, AllOf(HasSubstr("ok      check"), HasSubstr("ok      bench")));
}

TEST_F(Guess, FeedsAProgramThatReadsItsInputWithNumbers) {
  const auto said = init(
      "int main(void) { long n = 0, x; while (scanf(\"%ld\", &x) == 1) n += x; "
      "printf(\"sum %ld\\n\", n); return 0; }\n");
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  ASSERT_EQ(said.code, kExitDone) << said.out << said.err;
  EXPECT_THAT(manifest().bench.command,
              AllOf(HasSubstr("seq 1 "), HasSubstr(" | ./app > /dev/null")));
  EXPECT_THAT(manifest().check.command, AllOf(HasSubstr("seq 1 "), Not(HasSubstr("/dev/null"))));
  EXPECT_THAT(text_of(root() / "arbor.toml"), HasSubstr("reads its standard input"));
}

TEST_F(Guess, SaysWhatAProgramThatWantsArgumentsSaysAndWhatToWrite) {
  const auto said = init(
      "int main(int n, char** a) { if (n < 2) { fprintf(stderr, \"usage: %s FILE\\n\", a[0]); "
      "return 64; } puts(a[1]); return 0; }\n");
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  EXPECT_EQ(said.code, kExitUsage);
  EXPECT_THAT(text_of(root() / "arbor.toml"),
              AllOf(HasSubstr("# app wants arguments: without any it ended with code 64. It said: "
                              "usage: ./app FILE"),
                    HasSubstr("# Write how your users run it, for example: command = \"./app "
                              "input.txt\"")));
  EXPECT_THAT(said.err, HasSubstr("arbor init --try"));
  const auto sharpened = again({"--force", "--bench", "./app word"});
  EXPECT_EQ(sharpened.code, kExitDone) << sharpened.out << sharpened.err;
  EXPECT_EQ(manifest().bench.command, "./app word");
  EXPECT_EQ(manifest().check.command, "./app word") << "its output is the check";
}

TEST_F(Guess, LeavesTheCheckOpenWhereTheOutputIsNotTheSameTwice) {
  const auto said = init(
      "#include <time.h>\nint main(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); "
      "printf(\"%ld\\n\", t.tv_nsec); return 0; }\n");
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  EXPECT_EQ(said.code, kExitUsage);
  EXPECT_THAT(said.out, HasSubstr("check  not found"));
  EXPECT_THAT(text_of(root() / "arbor.toml"), HasSubstr("not the same twice"));
}

TEST_F(Guess, NamesTheTargetsOfABuildThatMakesNoProgram) {
  make_repository(root(),
                  {{"Makefile", "help:\n\t@echo choose one\ncg: cg.c\n\tcc -o cg.$(CLASS) cg.c\n"},
                   {"cg.c", "#include <stdio.h>\nint main(void) { puts(\"1\"); }\n"}});
  const auto said = again();
  ARBOR_SKIP_WITHOUT_SANDBOX(said);
  EXPECT_EQ(said.code, kExitUsage);
  EXPECT_THAT(said.out, AllOf(HasSubstr("makes no program"), HasSubstr("help, cg")));
  const auto built = again({"--force", "--build", "make cg CLASS=A"});
  EXPECT_EQ(built.code, kExitDone) << built.out << built.err;
  EXPECT_EQ(manifest().bench.command, "./cg.A");
}

TEST(SmallProblem, IsReadFromTheUsageText) {
  EXPECT_EQ(small_problem("  -t <threads>  Number of threads\n"
                          "  -s <size>     Size of the problem (small, large, XL)\n"),
            "-s small");
  EXPECT_EQ(small_problem("  --size=SIZE  one of tiny, big\n"), "--size=tiny");
  EXPECT_EQ(small_problem("  -v  print small letters\nsmall, beautiful\n"), "");
  EXPECT_EQ(small_problem("usage: app FILE\n"), "");
}

}  // namespace
}  // namespace arbor::app
