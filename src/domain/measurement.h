// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Numbers the gate works with. Gains are natural logarithms: x = ln(better/worse), positive = the
// candidate is better, whatever the metric's goal is.
namespace arbor::domain {

struct Interval {
  double estimate = 0;
  double low = 0;  // 95 %, two-sided
  double high = 0;
  bool operator==(const Interval&) const = default;
};

Interval speedup_of(const Interval& log_gain);  // exp of each

enum class Arm { kTrunk, kCandidate };

// One launch of one arm as the parent saw it. Times in nanoseconds of the parent's clock.
struct Launch {
  std::int64_t wall_ns = 0;
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::optional<std::int64_t> peak_bytes;
  std::optional<double> metric;               // as the reader read it, in the metric's own unit
  std::vector<std::optional<double>> guards;  // in the manifest's order
  int exit_code = 0;                          // 128 + signal when killed
  std::string failure;                        // why metric is missing; empty when it is not
  bool is_cut = false;                        // stopped for taking too long, by cut or time limit
  bool is_outlived = false;  // processes of it were alive when its command had ended
  std::int64_t figures = 0;  // places of its output where the metric could be read
  bool operator==(const Launch&) const = default;
};

struct Pair {
  int index = 0;  // from 1 within its stage
  bool candidate_first = false;
  Launch trunk;
  Launch candidate;
  std::optional<double> x;  // ln gain; empty when either metric is missing
  int window = 0;           // pairs measured close together share one
  std::string void_reason;  // a machine guardrail voided the pair; empty = counts
  bool operator==(const Pair&) const = default;
};

struct Calibration {
  int pairs = 0;
  double s_aa = 0;                 // standard deviation of x between a state and its own copy
  double mean = 0;                 // of the A/A pairs: should be about 0
  double lag1 = 0;                 // autocorrelation of x
  double smallest_detectable = 0;  // as a log gain, 80 % power, 20 pairs
  std::int64_t launch_ns_median = 0;
  std::optional<std::int64_t> figures = {};  // Launch::figures where all launches agree
  bool operator==(const Calibration&) const = default;
};

}  // namespace arbor::domain
