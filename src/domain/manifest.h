// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/knob.h"

// arbor.toml as values. Paths are relative to the program's root. Defaults stand here, each with
// its reason; app/config parses the file and reports unknown keys.
namespace arbor::domain {

enum class Goal { kMaximise, kMinimise };

struct Metric {
  std::string name = "wall";
  std::string reader =
      "wall";           // registry name in measure/readers: wall user system memory regex json
  std::string file;     // read from this file of the tree; empty = standard output
  std::string pattern;  // regex: one group; json: an RFC 6901 pointer
  Goal goal = Goal::kMinimise;
  double worse_by_max = 0.02;  // of a guard: how much worse is still acceptable, as a fraction
  bool operator==(const Metric&) const = default;
};

struct ProgramSection {
  std::string name;
  std::vector<std::string> inputs;  // untracked files and folders, mounted read-only
  bool operator==(const ProgramSection&) const = default;
};

struct BuildSection {
  std::string command;  // for sh -c, in the program's root
  double timeout_s = 1800;
  std::string clean;  // run before a fresh checkout is built, where build products are committed
  std::vector<std::string> artefacts;  // globs; empty = found by watching what the build writes
  bool operator==(const BuildSection&) const = default;
};

struct ScoreRule {
  Metric metric;
  std::optional<double> floor;  // a ceiling where the goal is to minimise
  std::optional<double>
      drop_max;  // in the score's unit, against the original baseline, not the trunk
  bool operator==(const ScoreRule&) const = default;
};

struct OutputRule {
  std::string file;  // "-" = standard output
  double rtol = 0;   // 0 and 0 = byte for byte
  double atol = 0;
  bool has_exact_integers = false;  // numbers written without point and exponent must be equal
  bool operator==(const OutputRule&) const = default;
};

struct CheckSection {
  std::string command;  // may hold {seed}
  bool is_seeded() const { return command.contains("{seed}"); }
  double timeout_s = 600;
  int repeat = 1;
  std::vector<std::string> harness;  // globs: the judge, taken from the baseline's build
  std::optional<ScoreRule> score;
  std::vector<OutputRule> outputs;
  bool operator==(const CheckSection&) const = default;
};

struct BenchSection {
  std::string command;  // may hold {seed}
  double timeout_s = 600;
  std::string train;    // training input of profile-guided work; empty = the bench itself
  std::string holdout;  // the bench on a workload that no decision looks at; empty = none
  std::vector<std::string> harness;
  Metric metric;
  std::vector<Metric> guards;
  bool is_inner = false;  // the metric may improve while the whole process does not
  bool operator==(const BenchSection&) const = default;
};

struct EditSection {
  std::vector<std::string> allow = {"**"};
  std::vector<std::string> deny;  // besides what is always denied
  bool operator==(const EditSection&) const = default;
};

struct ProfileSection {
  std::string tool = "auto";
  std::string command;  // what to profile; empty = the bench
  bool operator==(const ProfileSection&) const = default;
};

struct GoalSection {
  std::optional<double> speedup;
  std::string target_cpu = "native";
  std::vector<std::string> forbid;  // strategies, categories or flags
  bool operator==(const GoalSection&) const = default;
};

struct BudgetSection {
  double wall_s = 1800;  // long enough for some thirty trials of a one-second bench
  std::optional<int> trials;
  bool operator==(const BudgetSection&) const = default;
};

struct SearchSection {
  std::uint64_t seed = 1;
  std::string score = "default";  // or "as-printed"
  bool operator==(const SearchSection&) const = default;
};

struct SandboxSection {
  std::vector<std::string> read;      // folders that stay visible (toolchain homes)
  std::vector<std::string> keep_env;  // variables passed through
  std::int64_t memory_bytes = 8LL << 30;
  int processes = 512;
  bool network = false;
  bool operator==(const SandboxSection&) const = default;
};

struct Manifest {
  ProgramSection program;
  BuildSection build;
  CheckSection check;
  BenchSection bench;
  ProfileSection profile;
  EditSection edit;
  std::vector<Knob> knobs;
  GoalSection goal;
  BudgetSection budget;
  SearchSection search;
  SandboxSection sandbox;
  bool operator==(const Manifest&) const = default;
};

}  // namespace arbor::domain
