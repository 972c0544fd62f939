// SPDX-License-Identifier: Apache-2.0
#include "engine/planted_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "engine/arms.h"
#include "engine/reference.h"
#include "measure/accuracy.h"
#include "measure/output_mutations.h"
#include "measure/statistics.h"
#include "measure/verdict_text.h"

namespace arbor::engine {
namespace {

constexpr double kVisible = 0.16;  // as the gate's quick look
constexpr int kMostPairs = 3;
constexpr double kWild = 0.3;  // noise of a pair in which a third of a CPU can drown

bool judges_by_exit_code_alone(const domain::CheckSection& check) {
  return check.harness.empty() && !check.score && check.outputs.empty();
}

// Wrong numbers that the rule would take for right. Where the golden output itself is constant,
// its zeros or its mean are the golden again and no tolerance can tell.
std::vector<std::string> let_through(const std::string& golden, const domain::OutputRule& rule) {
  domain::OutputRule exact = rule;
  exact.rtol = 0;
  exact.atol = std::numeric_limits<double>::denorm_min();
  const auto same = measure::mutations_let_through(golden, exact);
  auto names = measure::mutations_let_through(golden, rule);
  std::erase_if(
      names, [&](const std::string& name) { return std::ranges::find(same, name) != same.end(); });
  return names;
}

base::Result<Plant> plant_wrong_numbers(const Session& session) {
  ARBOR_TRY(const auto reference, stored_reference(session));
  for (const auto& rule : session.manifest().check.outputs) {
    const auto golden = reference.golden.find(rule.file);
    if (golden == reference.golden.end()) continue;
    if (const auto names = let_through(golden->second, rule); !names.empty())
      return Plant{false, fmt::format("the check takes wrong numbers in '{}' for right ({}): its "
                                      "rtol {} and atol {} are too wide for these values",
                                      rule.file, base::join(names, ", "), rule.rtol, rule.atol)};
  }
  return Plant{true, ""};
}

// A run of fixed length shows nothing of a rate that the program prints of itself.
base::Result<std::string> unseen_in_the_run(const Session& session, const domain::Pair& pair,
                                            double visible) {
  const double longer = std::log(static_cast<double>(pair.candidate.wall_ns) /
                                 static_cast<double>(pair.trunk.wall_ns));
  if (longer > visible / 2 || session.manifest().bench.is_inner) return std::string();
  ARBOR_TRY(const bool is_own, prints_its_own_metric(session));
  if (!is_own) return std::string();
  return fmt::format(
      ", but its runs take as long as before and it prints {} itself: a source change cannot be "
      "held to that; let a driver count ([bench] harness), or say inner = true in [bench]",
      session.manifest().bench.metric.name);
}

base::Result<bool> passes_with(Session& session, Fault planted) {
  ArmState spoilt{&session.baseline, {}};
  spoilt.planted = planted;
  measure::CheckStep step;
  step.seed = kGoldenSeed;
  ARBOR_TRY(const auto answer, check_state(session, spoilt, step));
  return answer.is_passed;
}

}  // namespace

base::Result<Plant> plant_slow_down(Session& session, const domain::Calibration& calibration) {
  const auto& metric = session.manifest().bench.metric;
  if (metric.reader == "memory") return Plant{true, "memory does not depend on speed"};
  const ArmState same{&session.baseline, {}};
  ArmState slow = same;
  slow.planted = Fault::kSlow;
  const double visible = std::max(kVisible, 3 * calibration.s_aa);
  double sum = 0;
  int count = 0;
  for (int i = 1; i <= kMostPairs; ++i) {
    session.phase("testing the gate on a planted slow-down");
    measure::PairStep step;
    step.index = i;
    step.candidate_first = i % 2 == 0;
    step.cut_after_s = 3 * static_cast<double>(calibration.launch_ns_median) / 1e9 + 0.5;
    step.seed = kGoldenSeed;
    ARBOR_TRY(const domain::Pair pair, measure_pair(session, same, slow, step));
    if (pair.candidate.is_cut)
      return Plant{true, "a third of a CPU takes more than three times as long"};
    if (!pair.x || !pair.void_reason.empty()) continue;
    sum += *pair.x;
    ++count;
    if (*pair.x < -visible) {
      ARBOR_TRY(const std::string unseen, unseen_in_the_run(session, pair, visible));
      return Plant{true,
                   fmt::format("a third of a CPU shows as {:.2f}×{}", std::exp(*pair.x), unseen)};
    }
  }
  const double mean = count > 0 ? sum / count : 0;
  const std::string seen = fmt::format(
      "the program was given a third of a CPU and {} showed {:.2f}× in {} pairs, where "
      "equal programs differ by {} from pair to pair",
      metric.name, std::exp(mean), count, measure::percent_text(calibration.s_aa));
  if (mean > visible)
    return Plant{false, seen + fmt::format("; is goal = \"{}\" the wrong way round?",
                                           metric.goal == domain::Goal::kMaximise ? "max" : "min")};
  if (calibration.s_aa > kWild)
    return Plant{
        false,
        seen + fmt::format("; nothing below {} could be seen: let the bench do more "
                           "of the same work, or choose a steadier metric",
                           measure::speedup_text(measure::smallest_detectable(calibration.s_aa)))};
  return Plant{false, seen +
                          "; either the metric does not depend on the program, or the program "
                          "waits instead of computing: then run with --without "
                          "planted-slow-down"};
}

base::Result<Plant> plant_wrong_output(Session& session) {
  const auto& check = session.manifest().check;
  if (check.command.empty()) return Plant{true, "no check is configured"};
  ARBOR_TRY(Plant numbers, plant_wrong_numbers(session));
  if (!numbers.is_caught) return numbers;
  if (workspace::is_its_source(session.baseline))
    return Plant{true,
                 judges_by_exit_code_alone(check)
                     ? "the check is the program's exit code alone: nothing that it prints or "
                       "writes is compared; [check] outputs would"
                     : "nothing is built that could do nothing instead"};
  session.phase("testing the check on a program that does nothing");
  ARBOR_TRY(const bool passes_idle, passes_with(session, Fault::kIdle));
  if (!passes_idle) return Plant{true, "programs that do nothing fail the check"};
  if (judges_by_exit_code_alone(check))
    return Plant{true,
                 "the check is the candidate's own word: it passes for programs that do nothing; "
                 "[check] harness would take it from the baseline"};
  // A test program that links the code does nothing as well when its turn comes.
  if (session.baseline.artefacts.size() > 1) {
    ARBOR_TRY(const bool passes_failing, passes_with(session, Fault::kFailing));
    if (!passes_failing)
      return Plant{true,
                   "the check is the exit code of programs that are built with the candidate: what "
                   "they assert is all that is looked at"};
  }
  return Plant{false, fmt::format("the check '{}' passes for programs that do nothing and exit "
                                  "with 0; let it look at what they compute",
                                  check.command)};
}

}  // namespace arbor::engine
