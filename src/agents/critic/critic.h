// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "domain/action.h"
#include "domain/constraint.h"
#include "domain/measurement.h"
#include "domain/verdict.h"

// The second key. The Critic proposes nothing and implements nothing; it may veto a keep, and it
// turns failures into lessons and constraints. Rules only: pure functions of what was measured.
namespace arbor::agents {

// A keep as the gate sees it, with what its numbers rest on.
struct KeepProposal {
  std::vector<domain::Pair> pairs;
  std::vector<domain::Pair> confirm_pairs;
  bool is_harness_intact = true;  // the judge's files hash as they did at the start
  bool has_check = true;          // the manifest configures a check
};

struct KeyDecision {
  bool is_signed = false;
  std::string rule;  // that vetoed; empty when signed
  std::string reason;
};

KeyDecision sign_keep(const KeepProposal& proposal);

// What a trial that was not kept teaches: why, under which circumstances the idea may return, and
// what must not be tried again meanwhile.
struct FailureReview {
  std::string annotation;
  std::vector<domain::Constraint> constraints;
};

FailureReview review_failure(const domain::Action& action, const domain::Verdict& verdict,
                             domain::NodeId trunk, domain::TrialId trial);

}  // namespace arbor::agents
