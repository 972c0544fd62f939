// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

// A campaign as text: a program whose every change has a known effect, and the verdicts that must
// come of it. One directive a line, words after '#' are comments:
//
//   program launch=1 build=8 noise=0.02    seconds; noise is s_AA
//   campaign budget=200 trials=9 seed=1 without=NAME
//   busy 1.5 0.7                           CPUs that others use, look by look; the last one stays
//   idea NAME predicts=1.3 [kind=flag|source] [layer=compiler] [after=OTHER] [asked=2]
//                                          after: proposed where OTHER is in the recipe;
//                                          asked: from that time on that the trunk is asked about
//   truth NAME gain=1.2 [with=OTHER:0.9]   [builds-as=OTHER]: the same program comes of it
//                                          fails=build|check|run, nothing: it has no effect,
//                                          judge: it writes into the judge's file
//   baseline fails=build                   or check, or check-later (its third
//                                          run): the unchanged program's own fault
//   check blind                            passes whatever the program does
//   bench ignores-the-program              its metric is the same for ever
//   expect                                 what follows is compared, line by line
namespace arbor::scenario {

struct Idea {
  std::string name;
  double predicted = 1.1;
  bool is_source = false;
  std::string layer = "compiler";
  std::string after;  // proposed only where that one is in the recipe
  int asked = 1;      // and only where the specialists were asked so often
};

struct Truth {
  double gain = 1;
  std::map<std::string, double> gain_with;  // where the other is in the recipe too
  std::string fails;                        // empty = it does not
  std::string builds_as;                    // another truth's name, whose program it makes
};

struct Scenario {
  std::filesystem::path file;
  std::string head;  // up to and with the line "expect"
  std::string expected;
  double launch_s = 1, build_s = 5, noise = 0.02;
  double budget_s = 3600;
  std::optional<int> trials;
  std::uint64_t seed = 1;
  std::vector<std::string> without;
  std::vector<double> loads = {0};
  std::vector<Idea> ideas;
  std::map<std::string, Truth> truths;
  std::string baseline_fails;  // "build", "check", "check-later"; empty = it does not
  bool is_check_blind = false;
  bool is_bench_constant = false;
};

// Throws std::runtime_error that names file, line and word.
Scenario read_scenario(const std::filesystem::path& file);
std::vector<std::filesystem::path> all_scenarios();

}  // namespace arbor::scenario
