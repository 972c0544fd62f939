// SPDX-License-Identifier: Apache-2.0
#include "measure/launch_record.h"

#include <fmt/format.h>

#include <set>

#include "measure/guardrails/guardrail.h"
#include "measure/log_gain.h"
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

// Why nothing that the launch printed counts; empty when it does.
std::string broken_off(const ports::LaunchOutcome& outcome) {
  if (outcome.is_out_of_memory) return "the memory limit was reached";
  if (outcome.is_out_of_disk) return "it was stopped for nearly filling the disk";
  if (outcome.is_timeout) return "it was stopped for taking too long";
  // The shell's own codes; a program that ends so by habit could not be told from one that is gone.
  if (outcome.exit_code == 127) return "its command was not found (code 127)";
  if (outcome.exit_code == 126) return "its command cannot be executed (code 126)";
  const int signal = outcome.signal != 0       ? outcome.signal
                     : outcome.exit_code > 128 ? outcome.exit_code - 128
                                               : 0;
  return signal == 0 ? "" : fmt::format("it was killed by signal {}", signal);
}

// In how many places of a launch's output the number could have been read; 0 where in none.
std::int64_t matches_of(const domain::Metric& metric, const ports::LaunchOutcome& outcome) {
  const auto reading = read_measurement(metric, outcome);
  return reading ? reading->matches : 0;
}

// The last of a figure's occurrences counts, so one that the candidate has added would. How many
// there are is known where the trunk prints equally many in every launch; running figures, whose
// number varies with the time, are left alone.
void drop_added_figures(const domain::BenchSection& bench, const ports::PairAnswer& answer,
                        std::optional<std::int64_t> figures, domain::Pair& pair) {
  auto& candidate = pair.candidate;
  if (candidate.metric && figures == pair.trunk.figures && candidate.figures > *figures) {
    candidate.metric.reset();
    candidate.failure = fmt::format("it prints {} in {} places, the trunk always in {}",
                                    bench.metric.name, candidate.figures, *figures);
  }
  const auto is_added = [&](const domain::Metric& metric) {
    return matches_of(metric, answer.trunk) == 1 && matches_of(metric, answer.candidate) > 1;
  };
  for (std::size_t i = 0; i < bench.guards.size(); ++i)
    if (candidate.guards[i] && is_added(bench.guards[i])) candidate.guards[i].reset();
}

}  // namespace

domain::Launch launch_of(const ports::LaunchOutcome& outcome, const domain::BenchSection& bench) {
  domain::Launch launch;
  launch.wall_ns = outcome.wall_ns;
  launch.user_ns = outcome.user_ns;
  launch.system_ns = outcome.system_ns;
  launch.peak_bytes = outcome.peak_bytes;
  launch.exit_code = outcome.exit_code;
  launch.is_cut = outcome.is_timeout;
  launch.is_outlived = outcome.outlived;
  launch.guards.resize(bench.guards.size());
  launch.failure = broken_off(outcome);
  if (!launch.failure.empty()) return launch;
  const auto metric = read_measurement(bench.metric, outcome);
  if (metric) launch.figures = metric->matches;
  if (!metric)
    launch.failure = metric.error().message;
  else if (metric->value > 0)
    launch.metric = metric->value;
  else
    launch.failure = fmt::format("metric {} is 0, which cannot be compared", bench.metric.name);
  for (std::size_t i = 0; i < bench.guards.size(); ++i)
    if (const auto guard = read_measurement(bench.guards[i], outcome))
      launch.guards[i] = guard->value;
  return launch;
}

domain::Pair pair_of(const PairStep& step, const domain::BenchSection& bench,
                     const ports::PairAnswer& answer, const PairRecordOptions& options) {
  domain::Pair pair;
  pair.index = step.index;
  pair.candidate_first = step.candidate_first;
  pair.window = step.window;
  pair.trunk = launch_of(answer.trunk, bench);
  pair.candidate = launch_of(answer.candidate, bench);
  drop_added_figures(bench, answer, options.figures, pair);
  if (pair.trunk.metric && pair.candidate.metric)
    pair.x = log_gain(bench.metric.goal, *pair.trunk.metric, *pair.candidate.metric);
  GuardContext context;
  context.pair = &pair;
  context.load_of_others = answer.load_of_others;
  context.memory_stall_of_others = answer.memory_stall_of_others;
  context.machine_cpus = options.machine_cpus;
  context.metric = bench.metric;
  context.guards = bench.guards;
  for (const auto& finding : findings(GuardPhase::kDuring, context, options.without))
    if (finding.kind == FindingKind::kVoidPair) pair.void_reason = finding.detail;
  return pair;
}

std::vector<std::string> files_to_collect(const domain::BenchSection& bench) {
  std::set<std::string> files;
  if (!bench.metric.file.empty()) files.insert(bench.metric.file);
  for (const auto& guard : bench.guards)
    if (!guard.file.empty()) files.insert(guard.file);
  return {files.begin(), files.end()};
}

}  // namespace arbor::measure
