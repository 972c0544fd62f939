// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/arms.h"
#include "engine/session.h"

namespace arbor::engine {

// Globs of what no source change may touch: harness, outputs, and what check and bench name, but
// for a program that is its own source.
std::vector<std::string> judges_files(const domain::Manifest& manifest, bool is_its_source);

// What one attempt starts from and changes.
struct TrialOrder {
  domain::TrialId trial;
  domain::Change change;  // patches not yet committed
  domain::Prediction prediction;
  std::string commit;  // of the trunk
  std::string title;   // of the commit that a kept patch becomes
};

struct TrialOutcome {
  domain::Verdict verdict;  // kKept here means: the gate has no objection, keys are open
  domain::Recipe recipe;    // of the candidate; the trunk's where it never came to be
  std::string commit;
  workspace::BuiltTree tree;  // of the candidate, if built
  std::vector<domain::Pair> pairs, confirm_pairs;
  bool is_judge_intact = true;  // harness, golden data, manifest and the trunk's artefacts on disk
  double noise = 0;
  std::string state;  // as TrialEnded's
  double delta0 = 0;  // that the gain had to exceed
};

// Runs the whole gate on a change: apply, build, prove, check, pairs, confirm. Every answer is
// journaled before the gate is told. Errors are the world's; a candidate's failure is the verdict.
base::Result<TrialOutcome> run_trial(Session& session, const TrialOrder& order);

}  // namespace arbor::engine
