// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/measurement.h"
#include "engine/session.h"
#include "measure/gate.h"

// Launches of the manifest's commands on built states: one pair, one check.
namespace arbor::engine {

// What the self-test spoils on purpose: the program's CPU is shared by three, or its programs are
// replaced by ones that do nothing and succeed, or do nothing and fail.
enum class Fault { kNone, kSlow, kIdle, kFailing };

// A state that can be launched: its tree, and the recipe whose launch part (environment, preloads,
// knobs) starts it.
struct ArmState {
  const workspace::BuiltTree* tree = nullptr;
  domain::Recipe recipe;
  Fault planted = Fault::kNone;
  bool on_holdout = false;  // measured on [bench] holdout instead of its command
};

// A launch of the bench.
workspace::Builder::LaunchOrder bench_order(const Session& session, const ArmState& state,
                                            std::uint64_t seed);

// A machine that is not fit to measure on gives a void pair, a disk that is nearly full kIo: to go
// on would only end every trial.
// before: the pairs of these two that were measured so far; they tell whether both can share a CPU.
base::Result<domain::Pair> measure_pair(Session& session, const ArmState& trunk,
                                        const ArmState& candidate, const measure::PairStep& step,
                                        std::span<const domain::Pair> before = {});

// Why a candidate cannot be launched at all, by check or bench, through its own fault.
std::optional<workspace::LaunchRefusal> launch_refusal(const Session& session,
                                                       const ArmState& candidate);

// Whether the metric is a figure that the program itself prints: nothing of the bench that comes
// from the baseline knows its name.
base::Result<bool> prints_its_own_metric(const Session& session);

// The check of a state as it was launched; the reference (golden outputs, exit code, score) is the
// baseline's.
base::Result<ports::LaunchOutcome> launch_check(Session& session, const ArmState& state,
                                                std::uint64_t seed);

// Where the check has a {seed}, the baseline is run with the same one. A candidate that cannot be
// launched has not passed; the answer says so.
base::Result<measure::CheckAnswer> check_state(Session& session, const ArmState& state,
                                               const measure::CheckStep& step);

// A series of pairs whose number is fixed before it begins, in random order after one warm-up.
struct Series {
  int pairs = 20;
  std::string name;           // seeds its coins
  bool is_journaled = false;  // as the campaign's final measurement
};
// Only pairs that count: both metrics read, none void.
base::Result<std::vector<domain::Pair>> measure_series(Session& session, const ArmState& before,
                                                       const ArmState& after, const Series& series);
domain::Interval interval_of(const std::vector<domain::Pair>& pairs);

}  // namespace arbor::engine
