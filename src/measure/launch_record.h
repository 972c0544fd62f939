// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "domain/manifest.h"
#include "domain/measurement.h"
#include "measure/gate.h"
#include "ports/executor/executor.h"

// From what the executor saw to what the gate judges.
namespace arbor::measure {

// metric and guards as the manifest reads them. A launch that was stopped, killed by a signal or
// out of memory has none of them, whatever it printed before. A metric of 0 is missing too: its
// logarithm means nothing.
domain::Launch launch_of(const ports::LaunchOutcome& outcome, const domain::BenchSection& bench);

struct PairRecordOptions {
  int machine_cpus = 0;                      // of the host; 0 = not known
  std::span<const std::string> without;      // guardrails switched off
  std::optional<std::int64_t> figures = {};  // of every trunk launch of the calibration
};

// x has the goal's sign. Guardrails of the machine may void the pair here.
domain::Pair pair_of(const PairStep& step, const domain::BenchSection& bench,
                     const ports::PairAnswer& answer, const PairRecordOptions& options = {});

// Files that readers need handed back from a launch of the bench (LaunchRequest::collect), sorted.
std::vector<std::string> files_to_collect(const domain::BenchSection& bench);

}  // namespace arbor::measure
