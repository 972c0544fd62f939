// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/wiring.h"

// What a program that was just built does when it is started, in the sandbox.
namespace arbor::app {

struct Probe {
  int exit_code = 0;
  bool is_timeout = false;
  double wall_s = 0;
  std::string output;  // standard output
  std::string errors;
};

class Prober {
 public:
  Prober(Workshop& workshop, const workspace::BuiltTree& tree, std::stop_token stop)
      : workshop_(workshop), tree_(tree), stop_(std::move(stop)) {}

  base::Result<Probe> run(const std::string& command, double limit_s) const;
  base::Result<ports::LaunchOutcome> launch(const std::string& command, double limit_s) const;

 private:
  Workshop& workshop_;
  const workspace::BuiltTree& tree_;
  std::stop_token stop_;
};

enum class Habit {
  kWorks,           // without anything
  kReadsInput,      // does its work on what standard input brings
  kNeedsArguments,  // says how it wants to be called, or fails without a word of result
  kTooLong,         // was stopped
  kCrashes,         // was killed by a signal
  kSilent,          // succeeds and prints nothing
};

struct Behaviour {
  std::string program;  // path from the program's root
  std::string command;  // with which it does this; for a reader without the input
  Habit habit = Habit::kWorks;
  int exit_code = 0;
  double wall_s = 0;
  bool is_small_problem = false;  // the command asks for one, as the program alone took too long
  std::string said;               // its first words, where it did not work
};

// Starts it without arguments; where that takes too long, with the small problem its own help
// offers.
base::Result<Behaviour> behaviour_of(const Prober& prober, const std::string& program);

// "-s small", from a usage text that offers a small problem; empty where it does not.
std::string small_problem(const std::string& usage);

// The programs that the build made, from the program's root, without those whose name says that
// they test or are another's variant (minigzip64 beside minigzip).
std::vector<std::string> programs_of(const Workshop& workshop, const workspace::BuiltTree& tree);

}  // namespace arbor::app
