// SPDX-License-Identifier: Apache-2.0
#include "engine/arms.h"

#include <fmt/format.h>

#include <thread>

#include "base/random.h"
#include "engine/reference.h"
#include "measure/accuracy.h"
#include "measure/launch_record.h"
#include "measure/pair_judgement.h"
#include "measure/statistics.h"

namespace arbor::engine {
namespace {

// Moves stack and environment about by up to a page and a half: the same in both arms of a pair,
// another in each pair, so that no alignment is measured instead of the change.
std::string padding(std::uint64_t seed) {
  constexpr std::uint64_t kMostBytes = 6144;
  return std::string(base::Random::stream(seed, "padding").below(kMostBytes), 'x');
}

// section: the manifest's check or bench.
template <typename Section>
base::Result<ports::LaunchRequest> request_for(const Session& session, const ArmState& state,
                                               const Section& section, std::uint64_t seed) {
  workspace::Builder::LaunchOrder order;
  order.tree = state.tree;
  order.judge = &session.baseline;
  order.recipe = state.recipe;
  order.command = section.command;
  order.timeout_s = section.timeout_s;
  order.seed = seed;
  order.harness = section.harness;
  order.collect = measure::files_to_collect(section);
  return session.services().builder.launch_request(order);
}

base::Result<ports::ArmJob> bench_job(const Session& session, const ArmState& state,
                                      const measure::PairStep& step) {
  ARBOR_TRY(auto request, request_for(session, state, session.manifest().bench, step.seed));
  request.environment["ARBOR_PADDING"] = padding(step.seed);
  return ports::ArmJob{std::move(request), step.cut_after_s};
}

}  // namespace

base::Result<domain::Pair> measure_pair(Session& session, const ArmState& trunk,
                                        const ArmState& candidate, const measure::PairStep& step) {
  ports::PairJob job;
  ARBOR_TRY(job.trunk, bench_job(session, trunk, step));
  ARBOR_TRY(job.candidate, bench_job(session, candidate, step));
  // The trunk is never cut: what it takes is what the cut is made from.
  job.trunk.cut_after_s = 0;
  job.candidate_first = step.candidate_first;
  job.is_warm_up = step.is_warm_up;
  ARBOR_TRY(auto answer, session.services().executor.run(job, session.stop()));
  session.services().builder.name_as_ordered(answer.trunk);
  session.services().builder.name_as_ordered(answer.candidate);
  measure::PairRecordOptions options;
  options.machine_cpus = static_cast<int>(std::thread::hardware_concurrency());
  return measure::pair_of(step, session.manifest().bench, answer, options);
}

base::Result<ports::LaunchOutcome> launch_check(Session& session, const ArmState& state,
                                                std::uint64_t seed) {
  ARBOR_TRY(const auto request, request_for(session, state, session.manifest().check, seed));
  ARBOR_TRY(auto outcome, session.services().sandbox.launch(request, session.stop()));
  session.services().builder.name_as_ordered(outcome);
  return outcome;
}

base::Result<measure::CheckAnswer> check_state(Session& session, const ArmState& state,
                                               const measure::CheckStep& step) {
  if (session.manifest().check.command.empty())
    return measure::CheckAnswer{true, false, "no check is configured"};
  // Golden outputs belong to one seed: where outputs are compared, every run has the baseline's.
  const bool compares_outputs = !session.manifest().check.outputs.empty();
  const std::uint64_t seed = compares_outputs ? kGoldenSeed : step.seed;
  ARBOR_TRY(const auto outcome, launch_check(session, state, seed));
  ARBOR_TRY(const auto reference, stored_reference(session));
  return measure::judge_check(session.manifest().check, reference, outcome);
}

base::Result<std::vector<domain::Pair>> measure_series(Session& session, const ArmState& before,
                                                       const ArmState& after,
                                                       const Series& series) {
  auto random = base::Random::stream(session.state().started->seed, series.name);
  measure::PairStep step;
  step.is_warm_up = true;
  ARBOR_TRY_VOID(measure_pair(session, before, after, step));
  std::vector<domain::Pair> counted;
  for (int i = 1; i <= series.pairs; ++i) {
    step = {};
    step.index = i;
    step.candidate_first = random.coin();
    step.window = (i - 1) * 3 / series.pairs;
    step.seed = random.next() >> 1;
    session.phase(fmt::format("pair {} of {}", i, series.pairs));
    ARBOR_TRY(const domain::Pair pair, measure_pair(session, before, after, step));
    if (series.is_journaled) ARBOR_TRY_VOID(session.commit(PairMeasured{{}, false, pair}));
    if (pair.x && pair.void_reason.empty()) counted.push_back(pair);
  }
  return counted;
}

domain::Interval interval_of(const std::vector<domain::Pair>& pairs) {
  const auto gains = measure::counted_gains(pairs);
  return measure::interval_of_mean(gains.x, gains.windows);
}

}  // namespace arbor::engine
