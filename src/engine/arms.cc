// SPDX-License-Identifier: Apache-2.0
#include "engine/arms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "engine/pinning.h"
#include "engine/quiet_machine.h"
#include "engine/reference.h"
#include "measure/accuracy.h"
#include "measure/guardrails/guardrail.h"
#include "measure/launch_record.h"
#include "measure/pair_judgement.h"
#include "measure/readers/reader.h"
#include "measure/statistics.h"
#include "ports/executor/machine_load.h"

namespace arbor::engine {
namespace {

// A check takes so much longer than the baseline's at most, whatever [check] timeout allows: a
// candidate that hangs would cost ten minutes otherwise.
constexpr double kCheckSlowdown = 20;
constexpr double kPatienceS = 30;
constexpr int kSeedsTried = 3;          // of a check on which the baseline itself fails
constexpr std::size_t kSeedsKnown = 4;  // at once: golden outputs may be large

// Moves stack and environment about by up to a page and a half: the same in both arms of a pair,
// another in each pair, so that no alignment is measured instead of the change.
std::string padding(std::uint64_t seed) {
  constexpr std::uint64_t kMostBytes = 6144;
  return std::string(base::Random::stream(seed, "padding").below(kMostBytes), 'x');
}

// The command on the first CPU that it may use, with two loops that want it as well. The loops are
// the launch's own, so they load nobody else and die with it.
std::string slowed(const std::string& command) {
  return "c=$(taskset -cp $$) && c=${c##*: } && taskset -cp \"${c%%[-,]*}\" $$ >/dev/null\n"
         "(while :; do :; done) & a=$!\n"
         "(while :; do :; done) & b=$!\n"
         "sh -c " +
         base::shell_quoted(command) +
         "\n"
         "r=$?; kill $a $b; exit $r\n";
}

// section: the manifest's check or bench.
template <typename Section>
workspace::Builder::LaunchOrder order_for(const Session& session, const ArmState& state,
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
  if (state.planted == Fault::kIdle) order.idle_exit_code = 0;
  if (state.planted == Fault::kFailing) order.idle_exit_code = 1;
  return order;
}

base::Result<ports::ArmJob> bench_job(const Session& session, const ArmState& state,
                                      const measure::PairStep& step) {
  const auto order = bench_order(session, state, step.seed);
  ARBOR_TRY(auto request, session.services().builder.launch_request(order));
  if (state.planted == Fault::kSlow) request.argv.back() = slowed(request.argv.back());
  request.environment["ARBOR_PADDING"] = padding(step.seed);
  return ports::ArmJob{std::move(request), step.cut_after_s};
}

// Why no pair may begin now; empty = it may.
base::Result<std::string> obstacle(const Session& session) {
  measure::GuardContext context;
  context.disk_free_bytes = ports::free_disk_bytes(session.baseline.folder);
  const auto found =
      measure::findings(measure::GuardPhase::kBefore, context, session.state().started->without);
  if (found.empty() || found.front().kind == measure::FindingKind::kNote) return std::string();
  if (found.front().kind == measure::FindingKind::kStop)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("{}, where '{}' lies. Make room there, then go on with: arbor "
                                  "resume",
                                  found.front().detail, session.baseline.folder.string()));
  return found.front().detail;
}

// What a check on this seed is compared with.
struct Reference {
  std::uint64_t seed = 0;
  measure::CheckReference values;
};

// What a check gives is the inputs' doing as much as the program's: the baseline is run on the same
// ones. Where it does not pass on them itself, nothing can be said on them, and others are taken.
base::Result<Reference> baseline_on(Session& session, std::uint64_t seed) {
  const auto& check = session.manifest().check;
  base::Error why;
  for (int attempt = 0; attempt < kSeedsTried; ++attempt) {
    if (attempt > 0) seed = base::Random::stream(seed, "another check").next() >> 33;
    if (const auto known = session.seeded_references.find(seed);
        known != session.seeded_references.end())
      return Reference{seed, known->second};
    ARBOR_TRY(const auto outcome, launch_check(session, {&session.baseline, {}}, seed));
    auto values = measure::check_reference(check, outcome);
    if (values) {
      // One run cannot tell running figures from a fixed number of them.
      const auto& known = session.state().baseline;
      if (!known || !known->score_figures) values->score_figures.reset();
      if (session.seeded_references.size() == kSeedsKnown) session.seeded_references.clear();
      session.seeded_references[seed] = *values;
      return Reference{seed, std::move(*values)};
    }
    why = std::move(values).error();
  }
  return base::fail(
      base::ErrorKind::kUsage,
      fmt::format("the unchanged program fails its own check '{}' on {} seeds in a "
                  "row, the last {}: {}. Make it pass on every seed, or take {{seed}} "
                  "out of [check] command",
                  check.command, kSeedsTried, seed, why.message));
}

base::Result<Reference> reference_for(Session& session, std::uint64_t seed) {
  if (session.manifest().check.is_seeded()) return baseline_on(session, seed);
  ARBOR_TRY(auto values, stored_reference(session));
  return Reference{seed, std::move(values)};
}

}  // namespace

workspace::Builder::LaunchOrder bench_order(const Session& session, const ArmState& state,
                                            std::uint64_t seed) {
  const auto& bench = session.manifest().bench;
  auto order = order_for(session, state, bench, seed);
  if (state.on_holdout) order.command = bench.holdout;
  return order;
}

base::Result<domain::Pair> measure_pair(Session& session, const ArmState& trunk,
                                        const ArmState& candidate, const measure::PairStep& step,
                                        std::span<const domain::Pair> before) {
  ARBOR_TRY(const std::string unfit, obstacle(session));
  if (!unfit.empty()) {
    domain::Pair pair;
    pair.index = step.index;
    pair.candidate_first = step.candidate_first;
    pair.window = step.window;
    pair.void_reason = unfit;
    return pair;
  }
  ports::PairJob job;
  ARBOR_TRY(job.trunk, bench_job(session, trunk, step));
  ARBOR_TRY(job.candidate, bench_job(session, candidate, step));
  job.trunk.launch.cpus = job.candidate.launch.cpus =
      shared_cpu(before, session.services().machine.usable_cpus, step.seed);
  // The trunk is never cut: what it takes is what the cut is made from.
  job.trunk.cut_after_s = 0;
  job.candidate_first = step.candidate_first;
  job.is_warm_up = step.is_warm_up;
  ARBOR_TRY(auto answer, session.services().executor.run(job, session.stop()));
  session.services().builder.name_as_ordered(answer.trunk);
  session.services().builder.name_as_ordered(answer.candidate);
  measure::PairRecordOptions options;
  options.machine_cpus = session.services().machine.cpus;
  options.without = session.state().started->without;
  if (const auto& known = session.state().calibrated) options.figures = known->calibration.figures;
  domain::Pair pair = measure::pair_of(step, session.manifest().bench, answer, options);
  if (!pair.void_reason.empty()) ARBOR_TRY_VOID(wait_until_quiet(session));
  return pair;
}

base::Result<bool> prints_its_own_metric(const Session& session) {
  const auto& bench = session.manifest().bench;
  const std::string word = measure::printed_name(bench.metric);
  if (word.empty()) return bench.harness.empty();
  ARBOR_TRY(const bool is_the_judges,
            session.services().builder.judge_mentions(
                bench_order(session, {&session.baseline, {}}, kGoldenSeed), word));
  return !is_the_judges;
}

base::Result<ports::LaunchOutcome> launch_check(Session& session, const ArmState& state,
                                                std::uint64_t seed) {
  const auto& builder = session.services().builder;
  ARBOR_TRY(auto request,
            builder.launch_request(order_for(session, state, session.manifest().check, seed)));
  // Bench and check are told apart by their commands alone.
  request.environment["ARBOR_PADDING"] = padding(seed);
  request.ends_with_command = true;
  if (const auto& baseline = session.state().baseline)
    request.limits.wall_s =
        std::min(request.limits.wall_s, std::max(kPatienceS, kCheckSlowdown * baseline->check_s));
  ARBOR_TRY(auto outcome, session.services().sandbox.launch(request, session.stop()));
  builder.name_as_ordered(outcome);
  return outcome;
}

std::optional<workspace::LaunchRefusal> launch_refusal(const Session& session,
                                                       const ArmState& candidate) {
  const auto& builder = session.services().builder;
  const auto& manifest = session.manifest();
  if (!manifest.check.command.empty())
    if (auto refusal = builder.launch_refusal(order_for(session, candidate, manifest.check, 0)))
      return refusal;
  return builder.launch_refusal(bench_order(session, candidate, 0));
}

base::Result<measure::CheckAnswer> check_state(Session& session, const ArmState& state,
                                               const measure::CheckStep& step) {
  if (auto refusal = launch_refusal(session, state))
    return measure::CheckAnswer{false, false, std::move(refusal->detail),
                                std::move(refusal->reason)};
  if (session.manifest().check.command.empty())
    return measure::CheckAnswer{true, false, "no check is configured"};
  ARBOR_TRY(const auto reference, reference_for(session, step.seed));
  ARBOR_TRY(const auto outcome, launch_check(session, state, reference.seed));
  auto answer = measure::judge_check(session.manifest().check, reference.values, outcome);
  answer.log = outcome.standard_output + outcome.standard_error;
  return answer;
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
    ARBOR_TRY(const domain::Pair pair, measure_pair(session, before, after, step, counted));
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
