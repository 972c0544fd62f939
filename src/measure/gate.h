// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domain/manifest.h"
#include "domain/measurement.h"
#include "domain/verdict.h"

// How one trial is judged, as ask/tell: next() says the step, the engine journals it, has it
// executed and tells what came of it. Pure and seeded: same answers, same steps, same verdict.
namespace arbor::measure {

struct GateOptions {
  double delta0 = 0;             // 0 for flags, environment, preload, knobs; 0.005 for source edits
  bool has_hash_proof = true;    // the root built twice gave equal artefacts
  bool changes_build = true;     // else artefacts are the trunk's and only the launch is proved
  double touched_share = 1;      // f and s of the prediction, for the honesty guardrails
  double upper_speedup = 1;      // upper 95 % prediction
  bool is_whole_program = true;  // flags, environment, preload, knobs: no Amdahl bound
  int check_repeat = 1;
  std::uint64_t seed = 1;    // coin of the order within pairs, held-out seeds
  int max_pairs = 20;        // of the first stage
  bool is_inner = false;     // bench.is_inner of the manifest
  bool is_own_word = false;  // the edited program prints its own metric
  domain::Metric metric;     // bench.metric and bench.guards: what guardrails compare, and how
  std::vector<domain::Metric> guards;
  std::vector<std::string> without;  // guardrails switched off by name
};

// Steps
struct BuildStep {
  bool is_fresh = false;
};  // fresh: confirm's, caches bypassed
struct ProveStep {};  // artefacts differ / launch change arrived
struct CheckStep {
  int repeat = 1;  // number of this run of the check, from 1
  std::uint64_t seed = 0;
  bool is_confirm = false;
};
struct PairStep {
  int index = 1;  // from 1 within its stage; a repeated void pair has a fresh one
  bool is_confirm = false;
  bool candidate_first = false;
  bool is_warm_up = false;  // before pair 1 of a stage; its numbers are discarded
  int window = 0;           // engine does other work, or waits a moment, when it changes
  double cut_after_s = 0;   // 3 × the trunk's median; 0 = not known yet
  std::uint64_t seed = 0;   // {seed} of the bench, equal for both arms
};
using Step = std::variant<BuildStep, ProveStep, CheckStep, PairStep, domain::Verdict>;

// Answers
struct BuildAnswer {
  bool is_built = false;
  bool is_timeout = false;
  std::string log;
  std::string artefacts_hash;
  bool is_not_applied = false;  // not built, because the change would do nothing; the log says why
};
struct ProveAnswer {
  bool is_applied = false;
  std::string detail;
};
struct CheckAnswer {
  bool is_passed = false;
  bool is_crash = false;
  std::string detail;
  std::string reason = {};  // slug where it is not simply wrong output or a crash
  std::string log = {};     // what it printed, for the record
};
using Answer = std::variant<BuildAnswer, ProveAnswer, CheckAnswer, domain::Pair>;

class Gate {
 public:
  Gate(GateOptions options, domain::Calibration calibration);
  // The step to do now; repeated calls give the same one until it is told. A Verdict ends it: its
  // kind is kKept when the gate itself has no objection (both keys are still to be signed).
  Step next() const;
  void tell(const Answer& answer);
  // The verdict of a trial that cannot go on: inconclusive, with what was measured so far.
  domain::Verdict cut_off(std::string reason, std::string detail) const;
  // Everything measured so far, void pairs too, for the journal, the report and the live line.
  const std::vector<domain::Pair>& pairs() const { return pairs_; }  // first stage
  const std::vector<domain::Pair>& confirm_pairs() const { return confirm_pairs_; }
  std::optional<domain::Interval> running_interval() const;         // of the current stage
  double noise() const;                                             // s_AA as re-estimated so far
  const std::vector<std::string>& notes() const { return notes_; }  // for the report

 private:
  // The phases of a trial in their order; the enumerators' order is meaning.
  enum class Phase {
    kBuild,
    kProve,
    kCheck,
    kWarmUp,
    kPairs,
    kFreshBuild,
    kConfirmCheck,
    kConfirmWarmUp,
    kConfirmPairs,
    kDone
  };

  domain::Stage stage() const;
  bool is_confirming() const { return phase_ >= Phase::kFreshBuild; }
  PairStep pair_step(bool is_warm_up) const;
  double cut_after_s() const;
  void told_build(const BuildAnswer& answer);
  void told_prove(const ProveAnswer& answer);
  void told_check(const CheckAnswer& answer);
  void told_pair(domain::Pair pair);
  void count_void(const domain::Pair& pair);
  bool end_if_unusable(const domain::Pair& pair, bool has_x);
  void decide_first_stage();
  void begin_confirm();
  void decide_confirm();
  bool end_by_guardrails();
  void end(domain::VerdictKind kind, domain::Stage stage, std::string reason, std::string detail);

  GateOptions options_;
  domain::Calibration calibration_;
  Phase phase_ = Phase::kBuild;
  int checks_done_ = 0;
  int warm_ups_ = 0;  // tried in this stage; more than one only when the trunk failed in it
  int voids_ = 0;     // in the whole trial
  int confirm_planned_ = 0;
  std::string artefacts_hash_;
  std::vector<domain::Pair> pairs_;
  std::vector<domain::Pair> confirm_pairs_;
  std::vector<std::string> notes_;
  std::optional<domain::Verdict> verdict_;
};

}  // namespace arbor::measure
