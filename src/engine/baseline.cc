// SPDX-License-Identifier: Apache-2.0
#include "engine/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "engine/arms.h"
#include "engine/reference.h"
#include "measure/accuracy.h"

namespace arbor::engine {
namespace {

using Cause = BaselineFailure::Cause;
using Outcome = std::expected<void, BaselineFailure>;

constexpr double kCheapChecksS = 10;
constexpr int kMostCheckRuns = 5;  // a coin toss passes for steady in one of sixteen

std::unexpected<BaselineFailure> world(base::Error error) {
  return std::unexpected(BaselineFailure{std::move(error), Cause::kWorld});
}
std::unexpected<BaselineFailure> user(std::string message, Cause cause = Cause::kProgram) {
  return std::unexpected(BaselineFailure{{base::ErrorKind::kUsage, std::move(message)}, cause});
}
std::unexpected<BaselineFailure> out_of_time(std::string_view while_doing) {
  return user(
      fmt::format("the budget was over while {}, before anything could be tried", while_doing),
      Cause::kOutOfTime);
}

base::Result<workspace::BuildOutcome> build_state(Session& session, const std::string& commit,
                                                  const domain::Recipe& recipe, bool bypass_cache,
                                                  std::string purpose) {
  workspace::BuildOrder order;
  order.commit = commit;
  order.recipe = recipe;
  order.bypass_cache = bypass_cache;
  order.purpose = std::move(purpose);
  if (!session.state().calibrated) order.longest_s = session.left_s();
  return session.services().builder.build(order, session.stop());
}

Outcome build_original(Session& session, bool is_clean) {
  auto built = build_state(session, session.state().started->commit, {}, is_clean, "baseline");
  if (!built) return world(built.error());
  const auto* failure = std::get_if<workspace::BuildFailure>(&*built);
  if (failure != nullptr && failure->is_timeout && session.is_out_of_time())
    return out_of_time("the baseline was being built");
  if (failure != nullptr)
    return user(
        fmt::format("the unchanged program does not build: '{}' {}:\n{}\nMend the build command in "
                    "arbor.toml, or see 'arbor doctor' for what the sandbox lacks.",
                    session.manifest().build.command,
                    failure->is_timeout ? "did not end in time"
                                        : fmt::format("ended with code {}", failure->exit_code),
                    base::shortened(failure->log, 3000)));
  session.baseline = std::get<workspace::BuiltTree>(std::move(*built));
  auto judge = session.services().builder.harness_hash(session.baseline);
  if (!judge) return world(judge.error());
  session.judge_hash = std::move(*judge);
  return {};
}

Outcome rebuild_judge(Session& session) {
  session.notice("the judge's files are not what they were; the baseline is built afresh");
  return build_original(session, true);
}

// A tree from the cache whose judge is not the one that the journal knows is built anew.
Outcome build_baseline(Session& session, bool is_clean) {
  session.phase("building the baseline");
  if (auto built = build_original(session, is_clean); !built) return built;
  const auto& known = session.state().baseline;
  if (!known || known->judge_hash == session.judge_hash) return {};
  return rebuild_judge(session);
}

// The trunk of a resumed campaign, from the cache where it still is.
Outcome build_trunk(Session& session) {
  session.trunk = session.baseline;
  const auto& search = session.state().search;
  if (!search || search->nodes().empty() || search->trunk().value == 0) return {};
  const auto node = search->node(search->trunk());
  session.phase("restoring the best state so far");
  auto built = build_state(session, node.commit, node.recipe, false, "trunk");
  if (!built) return world(built.error());
  auto* tree = std::get_if<workspace::BuiltTree>(&*built);
  if (tree == nullptr)
    return user("the best state so far no longer builds; was the toolchain changed?\n" +
                std::get<workspace::BuildFailure>(*built).log);
  session.trunk = std::move(*tree);
  session.trunk.recipe = node.recipe;
  session.trunk.commit = node.commit;
  return {};
}

// Whether equal sources build equal artefacts here: without that a hash proves nothing.
base::Result<bool> builds_reproducibly(Session& session) {
  session.phase("building the baseline once more, to see whether builds are reproducible");
  ARBOR_TRY(auto again,
            build_state(session, session.state().started->commit, {}, true, "baseline-again"));
  const auto* tree = std::get_if<workspace::BuiltTree>(&again);
  if (tree == nullptr) return false;
  session.services().builder.discard(*tree);
  return workspace::artefacts_hash(*tree) == workspace::artefacts_hash(session.baseline);
}

std::string printed_by(const ports::LaunchOutcome& outcome) {
  const std::string text = outcome.standard_output + outcome.standard_error;
  return text.empty() ? "It printed nothing."
                      : "It printed:\n" + base::shortened(base::printable(text), 2000);
}

// A check that disagrees with itself rejects what is right and lets pass what is wrong. One run
// more at least, and several where they cost nothing.
Outcome repeat_check(Session& session, measure::CheckReference& reference, double check_s) {
  const auto& check = session.manifest().check;
  const int cheap_runs = static_cast<int>(kCheapChecksS / std::max(check_s, 0.001));
  const int runs = std::clamp(cheap_runs, 2, kMostCheckRuns);
  for (int run = 2; run <= runs && !session.is_out_of_time(); ++run) {
    session.phase(fmt::format("checking the baseline once more ({} of {})", run, runs));
    const auto outcome = launch_check(session, {&session.baseline, {}}, kGoldenSeed);
    if (!outcome) return world(outcome.error());
    if (measure::score_figures(check, *outcome) != reference.score_figures)
      reference.score_figures.reset();
    const auto answer = measure::judge_check(check, reference, *outcome);
    if (!answer.is_passed)
      return user(
          fmt::format("the check '{}' disagrees with itself: run {} on the unchanged program "
                      "gave something else than the first one: {}. Make the check "
                      "deterministic, or set rtol and atol (drop_max of a score) to what may "
                      "differ between two runs",
                      check.command, run, answer.detail),
          Cause::kCheck);
  }
  return {};
}

Outcome check_baseline(Session& session, BaselineReady& record) {
  const auto& check = session.manifest().check;
  if (check.command.empty()) return {};
  session.phase("checking the baseline");
  const auto start = session.services().clock.monotonic_ns();
  const auto outcome = launch_check(session, {&session.baseline, {}}, kGoldenSeed);
  if (!outcome) return world(outcome.error());
  record.check_s = static_cast<double>(session.services().clock.monotonic_ns() - start) / 1e9;
  auto reference = measure::check_reference(check, *outcome);
  if (!reference)
    return user(fmt::format("the unchanged program fails its own check '{}': {}\n{}", check.command,
                            reference.error().message, printed_by(*outcome)),
                Cause::kCheck);
  if (auto repeated = repeat_check(session, *reference, record.check_s); !repeated) return repeated;
  record.check_exit_code = reference->exit_code;
  record.score = reference->score;
  record.score_figures = reference->score_figures;
  for (const auto& [file, bytes] : reference->golden) {
    auto address = session.services().store.put_object(bytes);
    if (!address) return world(address.error());
    record.golden[file] = *address;
  }
  return {};
}

Outcome settle_baseline(Session& session) {
  if (session.state().baseline) return {};
  BaselineReady record;
  record.build_s = session.baseline.build_s;
  record.artefacts_hash = workspace::artefacts_hash(session.baseline);
  record.judge_hash = session.judge_hash;
  record.objects =
      workspace::object_files(session.baseline.commands, session.services().repository.toplevel());
  record.has_unrecorded_compiles = session.baseline.has_unrecorded_compiles;
  const auto reproducible = builds_reproducibly(session);
  if (!reproducible) return world(reproducible.error());
  record.has_hash_proof = *reproducible;
  if (session.is_out_of_time()) return out_of_time("the baseline was being built");
  if (auto checked = check_baseline(session, record); !checked) return checked;
  if (auto done = session.commit(record); !done) return world(done.error());
  return {};
}

Outcome calibrate(Session& session, const CalibrationPlan& plan) {
  if (session.state().calibrated) return {};
  const auto result = measure_noise(session, plan);
  if (!result) return world(result.error());
  switch (result->end) {
    case NoiseEnd::kMeasured:
      return {};
    case NoiseEnd::kUnusable:
      return user(result->detail);
    case NoiseEnd::kOutOfTime:
      return out_of_time("the noise was being measured");
  }
  return {};
}

}  // namespace

std::expected<void, BaselineFailure> prepare_baseline(Session& session,
                                                      const CalibrationPlan& plan) {
  if (auto built = build_baseline(session, plan.is_clean); !built) return built;
  if (auto settled = settle_baseline(session); !settled) return settled;
  if (auto calibrated = calibrate(session, plan); !calibrated) return calibrated;
  return build_trunk(session);
}

base::Result<void> restore_judge(Session& session) {
  const bool is_trunk = session.trunk.folder == session.baseline.folder;
  if (auto built = rebuild_judge(session); !built) return std::unexpected(built.error().error);
  if (is_trunk) session.trunk = session.baseline;
  return {};
}

}  // namespace arbor::engine
