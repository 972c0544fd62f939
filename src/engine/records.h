// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/action.h"
#include "domain/change.h"
#include "domain/constraint.h"
#include "domain/manifest_source.h"
#include "domain/measurement.h"
#include "domain/profile.h"
#include "domain/verdict.h"
#include "engine/key_signature.h"
#include "search/search.h"
#include "workspace/object_files.h"
#include "workspace/toolchain.h"

// The journal's entries as values. Each is written before anything acts on it; a campaign's state
// is their fold and nothing else. docs/formats/journal.md describes the JSON of each.
namespace arbor::engine {

struct CampaignStarted {
  std::string arbor_version;
  std::uint64_t seed = 1;
  std::string program;
  std::string commit;  // the baseline
  bool is_dirty_snapshot = false;
  std::string manifest_hash;                       // of arbor.toml as it was
  std::optional<domain::ManifestSource> manifest;  // empty in journals that kept only the hash
  double budget_s = 0;
  std::optional<int> budget_trials;
  std::vector<std::string> only, without;  // specialists by name
  bool is_unsafe = false;
  std::string host, sandbox;
  workspace::ToolchainFacts toolchain;
  std::vector<std::string> notes;
};

struct BaselineReady {
  std::string artefacts_hash;
  std::string judge_hash;  // of the harness and arbor.toml in the baseline's tree
  bool has_hash_proof = false;
  double build_s = 0, check_s = 0;
  int check_exit_code = 0;
  std::optional<double> score;
  std::map<std::string, std::string> golden;        // path → object address
  std::vector<workspace::ObjectFile> objects = {};  // that the build made of its sources
  bool has_unrecorded_compiles = false;  // by compilers that did not pass the shim: flags miss them
  std::optional<std::int64_t> score_figures = {};  // as measure::CheckReference says
};

struct SelfTested {
  bool is_passed = false;
  std::string detail;
};

// One A/A pair of the calibration, which a resumed session need not measure again.
struct CalibrationPair {
  domain::Pair pair;
};

struct Calibrated {
  domain::Calibration calibration;
  std::vector<double> x;
  std::vector<std::string> notes = {};  // what it saw of drift, order and swings
};

struct Profiled {
  domain::NodeId node;
  domain::Profile profile;
  double shift = 0;  // against the parent's profile
};

struct Proposed {
  domain::NodeId node;
  std::vector<domain::Action> actions;  // as the specialists made them, before duplicates merged
};

struct TrialStarted {
  domain::TrialId trial;
  domain::NodeId node;
  search::Choice choice;
};

struct ChangePrepared {
  domain::TrialId trial;
  domain::Change change;
};

struct StageDone {
  domain::TrialId trial;
  std::string stage;  // "build", "prove", "check", "confirm-build", …
  std::string detail;
  double seconds = 0;
  std::string log = {};  // object: all that the build or the check printed; empty: nothing was kept
};

struct PairMeasured {
  domain::TrialId trial;  // invalid: the final measurement
  bool is_confirm = false;
  domain::Pair pair;
};

// Verdict, keys and the pointer they move are one record, hence one transaction.
struct TrialEnded {
  domain::TrialId trial;
  domain::NodeId node;
  domain::Verdict verdict;
  std::vector<KeySignature> keys;
  domain::Recipe recipe;  // of the node; the trunk's where not kept
  std::string commit;
  std::string annotation;
  std::vector<domain::Constraint> constraints;  // the Critic published with it
  double minutes = 0;
  double noise = 0;   // s_AA as re-estimated
  std::string state;  // what was built and how it is launched, hashed; empty: it was never built
};

// Trunk or candidate against the original baseline, n fixed before.
struct FinalMeasured {
  int pairs = 0;
  domain::Interval log_gain;
  std::optional<domain::Interval> log_gain_over_tuned;  // over a conventionally tuned build
  std::string tuned_description;
  std::optional<domain::Interval> log_gain_on_holdout;  // on the workload that no decision saw
};

struct SessionResumed {
  std::string reason;
  double spent_s = 0;              // wall time counted against the budget so far
  std::optional<double> budget_s;  // the whole budget from now on, where it was changed
};

struct CampaignStopped {
  std::string reason;  // "budget", "goal", "frontier", "user", "crashes", …
  std::string detail;
  double spent_s = 0;
};

}  // namespace arbor::engine
