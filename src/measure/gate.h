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
  std::uint64_t seed = 1;  // coin of the order within pairs, held-out seeds
  int max_pairs = 20;      // of the first stage
};

// Steps
struct BuildStep {
  bool is_fresh = false;
};                    // fresh: confirm's, caches bypassed
struct ProveStep {};  // artefacts differ / launch change arrived
struct CheckStep {
  int repeat = 1;
  std::uint64_t seed = 0;
  bool is_confirm = false;
};
struct PairStep {
  int index = 1;  // from 1 within its stage
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
};
struct ProveAnswer {
  bool is_applied = false;
  std::string detail;
};
struct CheckAnswer {
  bool is_passed = false;
  bool is_crash = false;
  std::string detail;
};
using Answer = std::variant<BuildAnswer, ProveAnswer, CheckAnswer, domain::Pair>;

class Gate {
 public:
  Gate(GateOptions options, domain::Calibration calibration);
  // The step to do now; repeated calls give the same one until it is told. A Verdict ends it: its
  // kind is kKept when the gate itself has no objection (both keys are still to be signed).
  Step next() const;
  void tell(const Answer& answer);
  // Everything measured so far, for the journal, the report and the live line.
  const std::vector<domain::Pair>& pairs() const;  // first stage
  const std::vector<domain::Pair>& confirm_pairs() const;
  std::optional<domain::Interval> running_interval() const;  // of the current stage
  double noise() const;                                      // s_AA as re-estimated so far
};

}  // namespace arbor::measure
