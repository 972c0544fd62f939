// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "domain/measurement.h"

// What a measured pair is to the trial, before any statistics.
namespace arbor::measure {

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

// The pairs of a list that count, as the statistics take them.
struct CountedGains {
  std::vector<double> x;
  std::vector<int> windows;
};
CountedGains counted_gains(const std::vector<domain::Pair>& pairs);

}  // namespace arbor::measure
