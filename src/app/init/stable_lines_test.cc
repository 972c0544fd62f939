// SPDX-License-Identifier: Apache-2.0
#include "app/init/stable_lines.h"

#include <gmock/gmock.h>

#include <regex>

namespace arbor::app {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// What grep -vE would leave.
std::string left_of(const std::string& text, const StableLines& stable) {
  std::string left;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bool is_dropped = false;
    for (const auto& shape : stable.dropped)
      is_dropped |= std::regex_search(line, std::regex(shape, std::regex::extended));
    if (!is_dropped) left += line + "\n";
  }
  return left;
}

TEST(StableLines, LeaveOutWhatDiffersAndWhatTellsTheTime) {
  const auto output = [](const std::string& seconds, const std::string& rate) {
    return " CG Benchmark Completed\n Class           =                        A\n"
           " Time in seconds =                     " +
           seconds + "\n Mop/s total     =                  " + rate +
           "\n Zeta is    1.7130235054029E+01\n Verification    =               SUCCESSFUL\n"
           " Compile date    =              01 Dec 2026\n";
  };
  const auto stable = stable_lines(output("0.42", "3541.22"), output("0.42", "3540.10"));
  ASSERT_TRUE(stable.is_stable);
  EXPECT_THAT(stable.dropped, SizeIs(3));
  std::string tomorrow = output("1.7e-05", "99");
  tomorrow.replace(tomorrow.find("01 Dec"), 6, "2 March");
  const std::string left = left_of(tomorrow, stable);
  EXPECT_EQ(left,
            " CG Benchmark Completed\n Class           =                        A\n Zeta is    "
            "1.7130235054029E+01\n Verification    =               SUCCESSFUL\n");
}

TEST(StableLines, KeepResultsThatAreCalledTimes) {
  const auto stable = stable_lines("time step 5: energy 1.25\n", "time step 5: energy 1.25\n");
  EXPECT_TRUE(stable.is_stable);
  EXPECT_THAT(stable.dropped, IsEmpty());
}

TEST(StableLines, LeaveOutALineWithoutALabelByItsShape) {
  const auto stable = stable_lines("copied 7 files in 0.5 seconds\ncopied 7 files\n",
                                   "copied 7 files in 0.25 seconds\ncopied 7 files\n");
  ASSERT_TRUE(stable.is_stable);
  EXPECT_EQ(left_of("copied 7 files in 1e-3 seconds\ncopied 8 files\n", stable),
            "copied 8 files\n");
}

TEST(StableLines, TakeNumbersThatDifferByRoundingForEqual) {
  const auto stable = stable_lines("sum 1.00000000001 ok\n", "sum 1.00000000002 ok\n");
  EXPECT_TRUE(stable.is_stable);
  EXPECT_THAT(stable.dropped, IsEmpty());
}

TEST(StableLines, LeaveOutALineWithAnotherWordInEachRun) {
  const std::string a = "scratch /tmp/xyAb (1)\nresult 7\n",
                    b = "scratch /tmp/Qw9z (1)\nresult 7\n";
  const auto stable = stable_lines(a, b);
  EXPECT_TRUE(stable.is_stable);
  EXPECT_EQ(left_of("scratch /tmp/other (3)\nresult 7\n", stable), "result 7\n");
  EXPECT_THAT(stable.examples, ElementsAre("scratch /tmp/xyAb (1)"));
}

TEST(StableLines, MakeNothingOfResultsThatAreNotTheSameTwice) {
  EXPECT_FALSE(stable_lines("0.12 7\n0.55 8\n", "0.44 7\n0.56 8\n").is_stable);
  EXPECT_FALSE(stable_lines("a\n", "a\nb\n").is_stable);
  EXPECT_FALSE(stable_lines("", "").is_stable);
  EXPECT_FALSE(stable_lines("took 12 seconds\n", "took 12 seconds\n").is_stable);
}

TEST(StableLines, CompareBytesThatAreNoTextAsAWhole) {
  const std::string bytes("\x1f\x8b\x00\x01", 4);
  EXPECT_TRUE(stable_lines(bytes, bytes).is_stable);
  EXPECT_FALSE(stable_lines(bytes, bytes).is_text);
  EXPECT_FALSE(stable_lines(bytes, bytes + "x").is_stable);
}

TEST(StableLines, TellAnInputThatCountsFromATimeThatVaries) {
  EXPECT_TRUE(differs_beyond_chance("sum 0\n1 s\n", "sum 0\n2 s\n", "sum 9\n3 s\n"));
  EXPECT_FALSE(differs_beyond_chance("sum 0\n1 s\n", "sum 0\n2 s\n", "sum 0\n3 s\n"));
  EXPECT_TRUE(differs_beyond_chance("", "", "4\n"));
}

}  // namespace
}  // namespace arbor::app
