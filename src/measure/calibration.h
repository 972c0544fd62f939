// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "domain/measurement.h"
#include "measure/gate.h"

// Calibration measures the trunk against its own copy (A/A): what the machine's noise does to x
// when there is nothing to see. Ask/tell like the gate; the "candidate" of its pairs is the copy.
namespace arbor::measure {

struct CalibrationOptions {
  int pairs = 20;  // 12 at least for a sound estimate; fewer, where the budget demands, are noted
  std::uint64_t seed = 1;
};

struct CalibrationResult {
  bool is_usable = false;  // false: the trunk itself could not be measured; notes say why
  domain::Calibration calibration;
  bool looks_biased = false;  // the mean differs from 0 at 1 %: equal arms look unequal
  std::vector<std::string> notes;
};

using CalibrationStep = std::variant<PairStep, CalibrationResult>;

class Calibrator {
 public:
  explicit Calibrator(CalibrationOptions options);
  CalibrationStep next() const;
  void tell(domain::Pair pair);
  // Ends early with what there is, where time runs out; usable from four pairs on.
  void finish();
  const std::vector<domain::Pair>& pairs() const { return pairs_; }

 private:
  PairStep step() const;
  void conclude();

  CalibrationOptions options_;
  bool is_warm_ = false;
  int warm_ups_ = 0;
  int voids_ = 0;
  std::vector<domain::Pair> pairs_;
  std::optional<CalibrationResult> result_;
};

}  // namespace arbor::measure
