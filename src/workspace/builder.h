// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "domain/change.h"
#include "domain/manifest.h"
#include "ports/sandbox/sandbox.h"
#include "workspace/repository.h"
#include "workspace/shim/shim.h"
#include "workspace/toolchain.h"

// Turns (commit, recipe) into a built tree, and a built tree into launches. Thread-safe: several
// builds may run at once. docs/formats/files.md says what it keeps on disk.
namespace arbor::workspace {

struct Artefact {
  std::string path;  // from the repository's root
  std::string hash;  // of the allocatable sections without build-id; of the bytes when no ELF file
  bool operator==(const Artefact&) const = default;
};

struct BuiltTree {
  std::filesystem::path folder;  // on the host, under .arbor/trees
  std::string commit;
  domain::Recipe recipe;
  std::vector<Artefact> artefacts;  // sorted by path
  std::vector<CompileCommand> commands;
  bool has_unrecorded_compiles = false;  // a compiler was called by its absolute path
  double build_s = 0;
  std::string log;  // what the build printed, shortened and printable; empty from the cache
  bool is_from_cache = false;
};

// Nothing is built: scripts. The one artefact is then the source tree, without a path.
bool is_its_source(const BuiltTree& tree);
std::string artefacts_hash(const BuiltTree& tree);  // as they were built
// As they are on the disk now: equal to artefacts_hash while nobody touched them. Of a program that
// is its source it is the hash of all files of the tree, to be compared with an earlier one.
base::Result<std::string> artefacts_hash_on_disk(const BuiltTree& tree);

struct BuildFailure {
  int exit_code = 0;
  bool is_timeout = false;
  std::string log;              // shortened, printable
  bool is_not_applied = false;  // nothing is wrong with it, but the change would do nothing
};

// Why a candidate cannot be launched through its own fault: a verdict, not an error.
struct LaunchRefusal {
  // "tampered-harness": its build put something else where a file of the judge belongs.
  // "launch-refused": a variable, preload or knob that no launch can have, or a template is gone.
  std::string reason;
  std::string detail;
  bool operator==(const LaunchRefusal&) const = default;
};

using BuildOutcome = std::variant<BuiltTree, BuildFailure>;

struct BuildOrder {
  std::string commit;
  domain::Recipe recipe;                  // its build part counts
  const BuiltTree* start_from = nullptr;  // incremental: same flags, another commit
  bool bypass_cache = false;              // confirm and verify: from a clean checkout, no ccache
  bool wants_debug_info = false;          // profile build, kept apart from the measured one
  std::string purpose;                    // folder name for people: "trial-7"
  std::optional<double> longest_s = {};   // less than [build] timeout, where time is running out
};

class Builder {
 public:
  struct Setup {
    domain::Manifest manifest;
    std::filesystem::path arbor_dir;
    std::filesystem::path shim_binary;
    std::filesystem::path witness_library;
  };
  // repository and sandbox outlive it.
  Builder(Setup setup, const Repository& repository, ports::Sandbox& sandbox);
  Builder(Builder&&) noexcept;
  ~Builder();

  // A candidate that does not build is a value; errors are the world's. A ProfileGuided entry
  // without an object trains first: instrumented build, training run, then the optimised build; its
  // address is in the returned tree's recipe.
  base::Result<BuildOutcome> build(const BuildOrder& order, std::stop_token stop);

  // Removes a tree of an order with bypass_cache that is not needed any more.
  void discard(const BuiltTree& tree);

  ToolchainFacts toolchain() const;

  // Built trees that are not named here are removed, but for the few most recent.
  void keep_only(const std::vector<std::filesystem::path>& folders);

  // How a command of the manifest is launched on a built tree. judge: the baseline's tree, whose
  // harness files are mounted read-only over the candidate's. Knobs, environment and preloads come
  // from recipe. {seed} is replaced. Harness and collect are relative to the program's folder.
  struct LaunchOrder {
    const BuiltTree* tree = nullptr;
    const BuiltTree* judge = nullptr;
    domain::Recipe recipe;
    std::string command;
    double timeout_s = 600;
    std::optional<std::uint64_t> seed;
    std::vector<std::string> harness;  // globs
    std::vector<std::string> collect;
    bool with_witness = false;  // untimed proof launch; witnesses end up in .arbor/witness
    // Programs among the artefacts are replaced by one that does nothing but end with this code;
    // the judge's own stay. A check that still passes sees nothing.
    std::optional<int> idle_exit_code = {};
  };
  // A refused order is kUsage: ask launch_refusal first where the tree is a candidate's.
  base::Result<ports::LaunchRequest> launch_request(const LaunchOrder& order) const;
  std::optional<LaunchRefusal> launch_refusal(const LaunchOrder& order) const;
  // Whether the word stands in the order's command or in a file of the judge's that it takes: who
  // prints a figure knows its name.
  base::Result<bool> judge_mentions(const LaunchOrder& order, const std::string& word) const;
  // Of the judge's files as they are on the disk now (harness of check and bench, arbor.toml in
  // its tree): to be compared before and after each trial.
  base::Result<std::string> harness_hash(const BuiltTree& judge) const;
  // The outcome's collected files under the names that the order gave them.
  void name_as_ordered(ports::LaunchOutcome& outcome) const;

  // What a proof launch saw: whether each environment variable, preload and knob of the change
  // arrived in the process. Empty = all arrived; else what is missing, in words.
  base::Result<std::string> prove_launch_change(const BuiltTree& tree, const BuiltTree& judge,
                                                const domain::Recipe& recipe,
                                                const domain::Change& change, std::stop_token stop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace arbor::workspace
