// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "domain/measurement.h"
#include "measure/log_gain.h"

// What a measured pair is to the trial, before any statistics.
namespace arbor::measure {

// The same in trials and in the calibration, so that s_AA is theirs.
inline constexpr int kPairsPerWindow = 2;
inline constexpr int kFreeVoids = 3;  // pairs that may be void however short the series is

enum class PairOutcome {
  kCounts,            // has an x
  kVoid,              // the machine's or the trunk's fault: repeated
  kCandidateCrashed,  // exit code neither 0 nor the trunk's of the same pair
  kCandidateSlow,     // stopped for taking too long
  kCandidateSilent,   // ran, but its metric is missing
};

struct PairJudgement {
  PairOutcome outcome = PairOutcome::kCounts;
  std::string detail;
};

// The trunk is looked at first: where it fails too, nothing is known about the candidate.
PairJudgement judge_pair(const domain::Pair& pair);

// The pairs of a list that count.
Gains counted_gains(const std::vector<domain::Pair>& pairs);

}  // namespace arbor::measure
