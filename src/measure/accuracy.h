// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "domain/manifest.h"
#include "measure/gate.h"
#include "ports/sandbox/sandbox.h"

// The check: is the candidate's result still right? Everything is compared with the original
// baseline, never with the trunk, so that small losses cannot add up. Missing, unparseable and
// timed out all fail.
namespace arbor::measure {

// What the baseline's own check gave. Kept by the parent, out of every worktree. With a {seed} in
// the check's command a reference belongs to one seed: run the baseline with the candidate's.
struct CheckReference {
  int exit_code = 0;
  std::optional<double> score;
  // In how many places the baseline prints its score; empty where that varies or is not known. A
  // candidate that prints more has added one.
  std::optional<std::int64_t> score_figures;
  std::map<std::string, std::string> golden;  // of each output rule's file
  bool operator==(const CheckReference&) const = default;
};

// Every error means that the baseline fails its own check, and the campaign must not begin: killed,
// timed out, a check by exit code alone that did not exit with 0, a score missing or beyond its
// floor, an output missing or empty, a tolerance that is negative or not finite.
base::Result<CheckReference> check_reference(const domain::CheckSection& check,
                                             const ports::LaunchOutcome& baseline);

// Empty where the check has no score or it cannot be read.
std::optional<std::int64_t> score_figures(const domain::CheckSection& check,
                                          const ports::LaunchOutcome& outcome);

CheckAnswer judge_check(const domain::CheckSection& check, const CheckReference& reference,
                        const ports::LaunchOutcome& candidate);

// Empty where the score is good enough: at the floor or better and, without a stated drop_max, no
// worse than the baseline's.
std::optional<std::string> score_objection(const domain::ScoreRule& rule, double baseline,
                                           double candidate);

// Files to have handed back from a launch of the check (LaunchRequest::collect), sorted.
std::vector<std::string> files_to_collect(const domain::CheckSection& check);

}  // namespace arbor::measure
