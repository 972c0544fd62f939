// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "domain/measurement.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::ports {

// One arm of a pair: how to launch it and how its number is read. Readers run where the launch ran,
// so that an answer is self-contained.
struct ArmJob {
  LaunchRequest launch;
  double cut_after_s = 0;  // a slow arm is stopped here; 0 = only limits.wall_s
};

// One whole pair on one host, in the given order. Metrics are read by the caller from the outcomes.
struct PairJob {
  ArmJob trunk;
  ArmJob candidate;
  bool candidate_first = false;
  bool is_warm_up = false;  // discarded by the caller; one per arm before the first pair
};

struct PairAnswer {
  std::string host;  // noise belongs to a host; a trial never mixes hosts
  LaunchOutcome trunk;
  LaunchOutcome candidate;
  // The machine's busy CPUs minus the arms' own and ours, in CPUs. Empty where it cannot be told:
  // a pair that is short against the clock tick is watched together with those after it.
  std::optional<double> load_of_others;
  // Share of the pair's time in which others waited for memory; empty where it cannot be told from
  // the arms' own waiting.
  std::optional<double> memory_stall_of_others;
};

// Blocks until the pair is measured, exclusively on its host (a machine-wide lock). Errors as
// Sandbox::launch, and kBusy when another campaign holds the machine longer than we may wait.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual base::Result<PairAnswer> run(const PairJob& job, std::stop_token stop) = 0;
  // CPUs that are busy now, watched for so long without measuring anything; nothing where the host
  // does not tell. Blocks; kCancelled when stop was requested.
  virtual base::Result<std::optional<double>> load(double seconds, std::stop_token stop) = 0;
  virtual std::string host() const = 0;
};

std::unique_ptr<Executor> make_local_executor(Sandbox& sandbox);

}  // namespace arbor::ports
