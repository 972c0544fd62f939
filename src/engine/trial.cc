// SPDX-License-Identifier: Apache-2.0
#include "engine/trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/random.h"
#include "base/text.h"
#include "workspace/build_proof.h"
#include "workspace/patch_policy.h"

namespace arbor::engine {
namespace {

constexpr std::size_t kLongestLog = 1UL << 20;
constexpr double kSourceEditDelta = 0.005;  // complexity has a price: a source edit must earn it

domain::Verdict refused(domain::Stage stage, std::string reason, std::string detail) {
  return {domain::VerdictKind::kRejected, stage, std::move(reason), std::move(detail), {}, 0};
}

template <typename Predicate>
bool any_entry(const domain::Change& change, Predicate predicate) {
  return std::ranges::any_of(change.entries, predicate);
}

}  // namespace

std::vector<std::string> judges_files(const domain::Manifest& manifest, bool is_its_source) {
  std::vector<std::string> globs = manifest.check.harness;
  globs.insert(globs.end(), manifest.bench.harness.begin(), manifest.bench.harness.end());
  for (const auto& output : manifest.check.outputs) globs.push_back(output.file);
  for (const auto& command : {manifest.check.command, manifest.bench.command})
    for (auto& file : workspace::judging_files(manifest, command, is_its_source))
      globs.push_back(std::move(file));
  return globs;
}

namespace {

// One attempt: owns the candidate while the gate judges it.
class Attempt {
 public:
  Attempt(Session& session, const TrialOrder& order) : session_(session), order_(order) {
    outcome_.recipe = session.trunk.recipe;
    outcome_.commit = order.commit;
  }

  base::Result<TrialOutcome> run() {
    ARBOR_TRY(const bool is_applied, apply());
    if (is_applied) ARBOR_TRY_VOID(judge());
    return std::move(outcome_);
  }

 private:
  // Turns the change's diffs into commits; false = refused, the verdict says why.
  base::Result<bool> apply() {
    change_ = order_.change;
    for (auto& entry : change_.entries) {
      auto* patch = std::get_if<domain::SourcePatch>(&entry);
      if (patch == nullptr) continue;
      auto applied = session_.services().repository.apply(
          outcome_.commit, patch->diff, order_.title,
          {session_.manifest().edit,
           judges_files(session_.manifest(), workspace::is_its_source(session_.baseline))});
      if (!applied && applied.error().kind == base::ErrorKind::kUsage) {
        outcome_.verdict = refused(domain::Stage::kApply, "patch-refused", applied.error().message);
        return false;
      }
      if (!applied) return std::unexpected(applied.error());
      patch->commit = applied->commit;
      patch->files = applied->files;
      outcome_.commit = applied->commit;
    }
    if (change_.entries.empty()) {
      outcome_.verdict =
          refused(domain::Stage::kApply, "not-applied", "the change holds nothing to apply");
      return false;
    }
    outcome_.recipe = domain::extended(session_.trunk.recipe, change_);
    return true;
  }

  measure::GateOptions gate_options(bool is_own_word) const {
    measure::GateOptions options;
    const bool has_source = any_entry(change_, domain::changes_source);
    options.changes_build = any_entry(change_, domain::changes_build);
    options.has_hash_proof = session_.state().baseline && session_.state().baseline->has_hash_proof;
    options.delta0 = has_source ? kSourceEditDelta : 0;
    options.is_whole_program = !has_source;
    options.touched_share = order_.prediction.touched_share;
    options.upper_speedup = order_.prediction.upper_speedup;
    options.check_repeat = session_.manifest().check.repeat;
    options.is_inner = session_.manifest().bench.is_inner;
    options.is_own_word = has_source && is_own_word;
    options.metric = session_.manifest().bench.metric;
    options.guards = session_.manifest().bench.guards;
    options.without = session_.state().started->without;
    options.seed = base::Random::stream(session_.state().started->seed, "trial",
                                        static_cast<std::uint64_t>(order_.trial.value))
                       .next();
    return options;
  }

  base::Result<void> judge() {
    ARBOR_TRY(const std::string trunk_before, workspace::artefacts_hash_on_disk(session_.trunk));
    ARBOR_TRY(const bool is_own_word, prints_its_own_metric(session_));
    const measure::GateOptions options = gate_options(is_own_word);
    outcome_.delta0 = options.delta0;
    measure::Gate gate(options, session_.state().calibrated->calibration);
    while (true) {
      const measure::Step step = gate.next();
      if (const auto* verdict = std::get_if<domain::Verdict>(&step)) {
        outcome_.verdict = *verdict;
        break;
      }
      if (session_.is_out_of_time()) {
        outcome_.verdict = gate.cut_off("out-of-time", "the campaign's time for trials was over");
        break;
      }
      ARBOR_TRY(const measure::Answer answer, execute(step, gate));
      if (!is_cut_build(answer)) gate.tell(answer);
      if (std::holds_alternative<measure::ProveStep>(step)) {
        outcome_.state = state_of_candidate();
        if (const Trial* same = judged_before()) {
          outcome_.verdict = same->end->verdict;
          outcome_.verdict.detail = fmt::format("the same program, started the same way, as {}: {}",
                                                same->start.node.text(), same->end->verdict.detail);
          break;
        }
      }
    }
    ARBOR_TRY(const std::string judge, session_.services().builder.harness_hash(session_.baseline));
    ARBOR_TRY(const std::string trunk, workspace::artefacts_hash_on_disk(session_.trunk));
    outcome_.is_judge_intact = judge == session_.judge_hash && trunk == trunk_before;
    // What guardrails merely noted is no verdict, but the report tells of it.
    for (const auto& note : gate.notes())
      ARBOR_TRY_VOID(stage_done("note", note, session_.services().clock.monotonic_ns()));
    outcome_.pairs = gate.pairs();
    outcome_.confirm_pairs = gate.confirm_pairs();
    outcome_.noise = gate.noise();
    return {};
  }

  std::string state_of_candidate() const {
    return base::content_hash(workspace::artefacts_hash(*candidate_state().tree) + "\n" +
                              domain::launch_form(outcome_.recipe));
  }

  // A trial on the same trunk that was decided on the very same state. What was left open is not
  // decided: more pairs may tell.
  const Trial* judged_before() const {
    for (const auto& trial : session_.state().trials) {
      if (!trial.end || trial.end->state != outcome_.state) continue;
      const auto kind = trial.end->verdict.kind;
      const bool is_decided =
          kind != domain::VerdictKind::kInconclusive && kind != domain::VerdictKind::kKept;
      if (is_decided && trial.start.choice.parent == session_.trunk_node()) return &trial;
    }
    return nullptr;
  }

  // A build that the campaign's end stopped is nothing that the candidate did.
  bool is_cut_build(const measure::Answer& answer) const {
    const auto* build = std::get_if<measure::BuildAnswer>(&answer);
    return build != nullptr && build->is_timeout && session_.is_out_of_time();
  }

  base::Result<measure::Answer> execute(const measure::Step& step, const measure::Gate& gate) {
    if (const auto* build = std::get_if<measure::BuildStep>(&step)) return do_build(*build);
    if (std::holds_alternative<measure::ProveStep>(step)) return do_prove();
    if (const auto* check = std::get_if<measure::CheckStep>(&step)) return do_check(*check);
    return do_pair(std::get<measure::PairStep>(step), gate);
  }

  base::Result<measure::Answer> do_build(const measure::BuildStep& step) {
    session_.phase(step.is_fresh ? "building afresh to confirm" : "building");
    const auto start = session_.services().clock.monotonic_ns();
    workspace::BuildOrder order;
    order.commit = outcome_.commit;
    order.recipe = outcome_.recipe;
    order.bypass_cache = step.is_fresh;
    order.longest_s = session_.left_s();
    order.purpose = fmt::format("{}{}", order_.trial.text(), step.is_fresh ? "-confirm" : "");
    const bool is_source_only = !any_entry(change_, [](const domain::ChangeEntry& entry) {
      return domain::changes_build(entry) && !domain::changes_source(entry);
    });
    if (is_source_only && !step.is_fresh) order.start_from = &session_.trunk;
    ARBOR_TRY(auto built, session_.services().builder.build(order, session_.stop()));
    measure::BuildAnswer answer;
    if (auto* tree = std::get_if<workspace::BuiltTree>(&built)) {
      outcome_.tree = std::move(*tree);
      outcome_.recipe = outcome_.tree.recipe;  // a recorded profile has its address now
      answer.is_built = true;
      answer.artefacts_hash = workspace::artefacts_hash(outcome_.tree);
    } else {
      const auto& failure = std::get<workspace::BuildFailure>(built);
      answer.is_timeout = failure.is_timeout;
      answer.is_not_applied = failure.is_not_applied;
      answer.log = failure.log;
    }
    ARBOR_TRY_VOID(stage_done(step.is_fresh ? "confirm-build" : "build",
                              answer.is_built ? "built" : base::shortened(answer.log, 4000), start,
                              answer.is_built ? outcome_.tree.log : answer.log));
    return answer;
  }

  base::Result<measure::Answer> do_prove() {
    session_.phase("proving that the change was applied");
    const auto start = session_.services().clock.monotonic_ns();
    measure::ProveAnswer answer{true, "the change arrived in the process"};
    if (any_entry(change_, domain::changes_build)) answer = proof_of_build();
    if (answer.is_applied && any_entry(change_, domain::changes_launch)) {
      const ArmState candidate = candidate_state();
      ARBOR_TRY(const std::string missing,
                session_.services().builder.prove_launch_change(
                    *candidate.tree, session_.baseline, outcome_.recipe, change_, session_.stop()));
      if (!missing.empty()) answer = {false, missing};
    }
    ARBOR_TRY_VOID(stage_done("prove", answer.detail, start));
    return answer;
  }

  // Where equal sources build unequal artefacts a difference proves nothing: the commands must.
  measure::ProveAnswer proof_of_build() const {
    if (workspace::artefacts_hash(outcome_.tree) == workspace::artefacts_hash(session_.trunk))
      return {false, outcome_.tree.has_unrecorded_compiles
                         ? "the built artefacts are the trunk's, bit for bit; compilers that the "
                           "build calls by their absolute paths get no flags"
                         : "the built artefacts are the trunk's, bit for bit"};
    const bool has_hash_proof = session_.state().baseline->has_hash_proof;
    if (outcome_.tree.has_unrecorded_compiles && has_hash_proof)
      return {true, "the built artefacts differ from the trunk's; not every command was recorded"};
    if (auto missing = workspace::missing_in_commands(outcome_.tree, change_); !missing.empty())
      return {false, std::move(missing)};
    return {true,
            has_hash_proof
                ? "the built artefacts differ from the trunk's"
                : "the recorded commands show what they can; two equal builds differ here, so "
                  "that hashes prove nothing"};
  }

  base::Result<measure::Answer> do_check(const measure::CheckStep& step) {
    session_.phase("checking that the results are right");
    const auto start = session_.services().clock.monotonic_ns();
    ARBOR_TRY(const measure::CheckAnswer answer, check_state(session_, candidate_state(), step));
    ARBOR_TRY_VOID(
        stage_done(step.is_confirm ? "confirm-check" : "check", answer.detail, start, answer.log));
    return answer;
  }

  base::Result<measure::Answer> do_pair(const measure::PairStep& step, const measure::Gate& gate) {
    session_.phase(live_line(step, gate));
    const ArmState trunk{&session_.trunk, session_.trunk.recipe};
    const auto& before = gate.confirm_pairs().empty() ? gate.pairs() : gate.confirm_pairs();
    ARBOR_TRY(const domain::Pair pair,
              measure_pair(session_, trunk, candidate_state(), step, before));
    if (!step.is_warm_up)
      ARBOR_TRY_VOID(session_.commit(PairMeasured{order_.trial, step.is_confirm, pair}));
    return pair;
  }

  ArmState candidate_state() const {
    return {any_entry(change_, domain::changes_build) ? &outcome_.tree : &session_.trunk,
            outcome_.recipe};
  }

  std::string live_line(const measure::PairStep& step, const measure::Gate& gate) const {
    std::string line =
        step.is_warm_up
            ? "warming up"
            : fmt::format("{} {}", step.is_confirm ? "confirm pair" : "pair", step.index);
    if (const auto interval = gate.running_interval(); interval && !step.is_warm_up) {
      const auto speedup = domain::speedup_of(*interval);
      line += fmt::format("  so far {:.3f}× [{:.3f}, {:.3f}]", speedup.estimate, speedup.low,
                          speedup.high);
    }
    return line;
  }

  base::Result<void> stage_done(std::string stage, std::string detail, std::int64_t start_ns,
                                std::string_view log = {}) {
    const double seconds =
        static_cast<double>(session_.services().clock.monotonic_ns() - start_ns) / 1e9;
    std::string address;
    if (!log.empty()) {
      ARBOR_TRY(address, session_.services().store.put_object(
                             base::shortened(base::printable(log), kLongestLog)));
    }
    return session_.commit(
        StageDone{order_.trial, std::move(stage), std::move(detail), seconds, std::move(address)});
  }

  Session& session_;
  const TrialOrder& order_;
  domain::Change change_;
  TrialOutcome outcome_;
};

}  // namespace

base::Result<TrialOutcome> run_trial(Session& session, const TrialOrder& order) {
  return Attempt(session, order).run();
}

}  // namespace arbor::engine
