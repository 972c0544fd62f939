// SPDX-License-Identifier: Apache-2.0
#include "measure/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "base/text.h"
#include "measure/guardrails/guardrail.h"
#include "measure/noise.h"
#include "measure/pair_judgement.h"
#include "measure/statistics.h"
#include "measure/two_stage.h"
#include "measure/verdict_text.h"

// How a trial passes through its phases:
//
//   build → prove → check × repeat → warm-up → pairs ──keep──→ fresh build → check → warm-up →
//   pairs
//     any phase may end it with a verdict; builds are skipped where the change does not build
namespace arbor::measure {
namespace {

constexpr int kPairsPerVoid = 5;     // 20 %
constexpr double kCutFactor = 3;     // × the trunk's median
constexpr double kCutSlack_s = 0.5;  // so that jitter of very short launches never cuts
constexpr std::size_t kErrorLines = 4;
constexpr std::size_t kErrorBytes = 600;

// Of 31 bits, so that every program can read it.
std::uint64_t seed_for(std::uint64_t seed, std::string_view purpose, int index) {
  return base::Random::stream(seed, purpose, static_cast<std::uint64_t>(index)).next() >> 33;
}

// The lines of a build's log that say why it failed, else its last ones.
std::string errors_in(std::string_view log) {
  auto lines = base::lines_of(log);
  const auto says_why = [](std::string_view line) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"error", "undefined reference", "cannot find",
                                                "not found", "No such file"},
        [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
  };
  std::vector<std::string> found;
  for (const auto line : lines)
    if (found.size() < kErrorLines && says_why(line)) found.emplace_back(base::trim(line));
  if (found.empty())
    for (std::size_t i = lines.size() - std::min(lines.size(), kErrorLines); i < lines.size(); ++i)
      found.emplace_back(lines[i]);
  return base::shortened(base::join(found, "\n"), kErrorBytes);
}

template <typename T>
const T& as(const Answer& answer) {
  const T* told = std::get_if<T>(&answer);
  ARBOR_CHECK(told != nullptr, "the gate was told an answer to another step than it asked for");
  return *told;
}

TestRule rule_of(const GateOptions& options, const NoiseEstimate& noise) {
  return {options.delta0, noise.s_aa, noise.values, options.max_pairs};
}

}  // namespace

Gate::Gate(GateOptions options, domain::Calibration calibration)
    : options_(std::move(options)), calibration_(calibration) {
  ARBOR_CHECK(options_.max_pairs >= 4, "the first stage needs at least four pairs");
  ARBOR_CHECK(options_.check_repeat >= 1, "the check runs at least once");
  if (!options_.changes_build) phase_ = Phase::kProve;
}

Step Gate::next() const {
  switch (phase_) {
    case Phase::kBuild:
      return BuildStep{false};
    case Phase::kProve:
      return ProveStep{};
    case Phase::kCheck:
      return CheckStep{checks_done_ + 1, seed_for(options_.seed, "check", checks_done_), false};
    case Phase::kFreshBuild:
      return BuildStep{true};
    case Phase::kConfirmCheck:
      return CheckStep{1, seed_for(options_.seed, "confirm check", 0), true};
    case Phase::kWarmUp:
    case Phase::kConfirmWarmUp:
      return pair_step(true);
    case Phase::kPairs:
    case Phase::kConfirmPairs:
      return pair_step(false);
    case Phase::kDone:
      break;
  }
  ARBOR_CHECK(verdict_.has_value(), "a trial ended without a verdict");
  return *verdict_;
}

PairStep Gate::pair_step(bool is_warm_up) const {
  const auto& measured = is_confirming() ? confirm_pairs_ : pairs_;
  const std::string stage = is_confirming() ? "confirm" : "first";
  PairStep step;
  step.index = is_warm_up ? warm_ups_ + 1 : static_cast<int>(measured.size()) + 1;
  step.is_confirm = is_confirming();
  step.is_warm_up = is_warm_up;
  step.candidate_first =
      base::Random::stream(options_.seed, stage + (is_warm_up ? " warm-up order" : " order"),
                           static_cast<std::uint64_t>(step.index))
          .coin();
  // Windows are numbered through the whole trial.
  const int before = is_confirming() && !pairs_.empty() ? pairs_.back().window + 1 : 0;
  step.window = before + (is_warm_up ? 0 : (step.index - 1) / kPairsPerWindow);
  step.cut_after_s = cut_after_s();
  // One seed a window: the trunk's launches in it then show noise alone, not other inputs.
  step.seed = seed_for(options_.seed, "bench", step.window);
  return step;
}

double Gate::cut_after_s() const {
  std::vector<double> walls;
  for (const auto* list : {&pairs_, &confirm_pairs_})
    for (const auto& pair : *list)
      if (pair.trunk.metric && pair.trunk.wall_ns > 0)
        walls.push_back(static_cast<double>(pair.trunk.wall_ns) * 1e-9);
  double typical = static_cast<double>(calibration_.launch_ns_median) * 1e-9;
  if (!walls.empty()) typical = std::max(typical, median(std::move(walls)));
  return typical > 0 ? std::max(kCutFactor * typical, typical + kCutSlack_s) : 0;
}

domain::Verdict Gate::cut_off(std::string reason, std::string detail) const {
  Gate ended = *this;
  ended.end(domain::VerdictKind::kInconclusive, stage(), std::move(reason), std::move(detail));
  return *ended.verdict_;
}

domain::Stage Gate::stage() const {
  switch (phase_) {
    case Phase::kBuild:
      return domain::Stage::kBuild;
    case Phase::kProve:
      return domain::Stage::kApplied;
    case Phase::kCheck:
      return domain::Stage::kCheck;
    case Phase::kWarmUp:
    case Phase::kPairs:
      return domain::Stage::kPairs;
    default:
      return domain::Stage::kConfirm;
  }
}

void Gate::tell(const Answer& answer) {
  switch (phase_) {
    case Phase::kBuild:
    case Phase::kFreshBuild:
      return told_build(as<BuildAnswer>(answer));
    case Phase::kProve:
      return told_prove(as<ProveAnswer>(answer));
    case Phase::kCheck:
    case Phase::kConfirmCheck:
      return told_check(as<CheckAnswer>(answer));
    case Phase::kWarmUp:
    case Phase::kConfirmWarmUp:
    case Phase::kPairs:
    case Phase::kConfirmPairs:
      return told_pair(as<domain::Pair>(answer));
    case Phase::kDone:
      break;
  }
  ARBOR_CHECK(false, "the gate was told an answer after its verdict");
}

void Gate::told_build(const BuildAnswer& answer) {
  const bool is_fresh = phase_ == Phase::kFreshBuild;
  const std::string which = is_fresh ? "the fresh build" : "the build";
  if (answer.is_not_applied)
    return end(domain::VerdictKind::kRejected, domain::Stage::kApplied, "not-applied", answer.log);
  if (!answer.is_built)
    return end(domain::VerdictKind::kCrashed, domain::Stage::kBuild,
               answer.is_timeout ? "timeout" : "build-failed",
               which + (answer.is_timeout ? " reached its time limit" : " failed") +
                   (answer.log.empty() ? "" : ": " + errors_in(answer.log)));
  if (is_fresh && options_.has_hash_proof && answer.artefacts_hash != artefacts_hash_)
    notes_.push_back("the fresh build's artefacts differ from those of the first build");
  artefacts_hash_ = answer.artefacts_hash;
  phase_ = is_fresh ? Phase::kConfirmCheck : Phase::kProve;
}

void Gate::told_prove(const ProveAnswer& answer) {
  if (!answer.is_applied)
    return end(domain::VerdictKind::kRejected, domain::Stage::kApplied, "not-applied",
               answer.detail.empty() ? "nothing differs from the trunk" : answer.detail);
  phase_ = Phase::kCheck;
}

void Gate::told_check(const CheckAnswer& answer) {
  const bool is_confirm = phase_ == Phase::kConfirmCheck;
  if (!answer.is_passed) {
    const std::string when = is_confirm ? "the fresh build's check: " : "";
    if (answer.is_crash)
      return end(domain::VerdictKind::kCrashed, domain::Stage::kCheck,
                 answer.reason.empty() ? "check-crashed" : answer.reason, when + answer.detail);
    return end(domain::VerdictKind::kRejected, domain::Stage::kCheck,
               answer.reason.empty() ? "wrong-output" : answer.reason, when + answer.detail);
  }
  if (is_confirm) {
    phase_ = Phase::kConfirmWarmUp;
    return;
  }
  if (++checks_done_ >= options_.check_repeat) phase_ = Phase::kWarmUp;
}

void Gate::told_pair(domain::Pair pair) {
  const bool is_warm_up = phase_ == Phase::kWarmUp || phase_ == Phase::kConfirmWarmUp;
  const PairStep step = pair_step(is_warm_up);
  pair.index = step.index;
  pair.candidate_first = step.candidate_first;
  pair.window = step.window;
  if (!is_warm_up) (is_confirming() ? confirm_pairs_ : pairs_).push_back(pair);
  if (judge_pair(pair).outcome == PairOutcome::kVoid) {
    warm_ups_ += is_warm_up ? 1 : 0;
    return count_void(pair);
  }
  if (end_if_unusable(pair, !is_warm_up)) return;
  if (is_warm_up) {
    phase_ = is_confirming() ? Phase::kConfirmPairs : Phase::kPairs;
    return;
  }
  is_confirming() ? decide_confirm() : decide_first_stage();
}

void Gate::count_void(const domain::Pair& pair) {
  const int measured = static_cast<int>(pairs_.size() + confirm_pairs_.size());
  if (++voids_ <= std::max(kFreeVoids, measured / kPairsPerVoid)) return;
  end(domain::VerdictKind::kInconclusive,
      is_confirming() ? domain::Stage::kConfirm : domain::Stage::kPairs, "machine-unfit",
      fmt::format("{} pairs had to be voided, the last because {}", voids_,
                  judge_pair(pair).detail));
}

bool Gate::end_if_unusable(const domain::Pair& pair, bool has_x) {
  const auto stage = is_confirming() ? domain::Stage::kConfirm : domain::Stage::kPairs;
  const PairJudgement judged = judge_pair(pair);
  if (judged.outcome == PairOutcome::kCandidateCrashed)
    end(domain::VerdictKind::kCrashed, stage, "run-crashed", judged.detail);
  else if (judged.outcome == PairOutcome::kCandidateSlow)
    end(domain::VerdictKind::kReverted, stage, "slower", judged.detail);
  else if (judged.outcome == PairOutcome::kCandidateSilent)
    end(domain::VerdictKind::kRejected, stage, "no-metric", judged.detail);
  if (verdict_ || !has_x) return verdict_.has_value();
  GuardContext context;
  context.pair = &pair;
  context.metric = options_.metric;
  context.guards = options_.guards;
  for (const auto& finding : findings(GuardPhase::kDuring, context, options_.without)) {
    if (finding.kind == FindingKind::kReject) {
      end(domain::VerdictKind::kRejected, domain::Stage::kGuardrails, finding.reason,
          finding.detail);
      return true;
    }
    notes_.push_back(finding.detail);
  }
  return false;
}

void Gate::decide_first_stage() {
  const auto gains = counted_gains(pairs_);
  const TestRule rule = rule_of(options_, estimate_noise(calibration_, pairs_, confirm_pairs_));
  const std::string worth = speedup_text(worthwhile_gain(rule));
  switch (first_stage(gains.x, gains.windows, rule)) {
    case TestEnd::kContinue:
      return;
    case TestEnd::kKeep:
      return begin_confirm();
    case TestEnd::kSlower:
      return end(domain::VerdictKind::kReverted, domain::Stage::kPairs, "slower", "slower");
    case TestEnd::kNotWorth:
      return end(domain::VerdictKind::kReverted, domain::Stage::kPairs, "not-worth",
                 "not worth having (below " + worth + ")");
    case TestEnd::kInconclusive:
      return end(
          domain::VerdictKind::kInconclusive, domain::Stage::kPairs, "undecided",
          "neither a gain nor its absence was shown; the smallest gain found here is about " +
              speedup_text(smallest_detectable(rule.noise)));
  }
}

void Gate::begin_confirm() {
  if (end_by_guardrails()) return;
  confirm_planned_ = planned_confirm_pairs(mean(counted_gains(pairs_).x), noise());
  warm_ups_ = 0;
  phase_ = options_.changes_build ? Phase::kFreshBuild : Phase::kConfirmCheck;
}

void Gate::decide_confirm() {
  const auto gains = counted_gains(confirm_pairs_);
  const TestRule rule = rule_of(options_, estimate_noise(calibration_, pairs_, confirm_pairs_));
  switch (confirm_test(gains.x, gains.windows, rule, confirm_planned_)) {
    case TestEnd::kContinue:
      return;
    case TestEnd::kKeep:
      if (!end_by_guardrails())
        end(domain::VerdictKind::kKept, domain::Stage::kConfirm, "confirmed", "");
      return;
    case TestEnd::kSlower:
      return end(domain::VerdictKind::kReverted, domain::Stage::kConfirm, "slower",
                 "slower when confirmed with fresh pairs");
    case TestEnd::kNotWorth:
      return end(domain::VerdictKind::kReverted, domain::Stage::kConfirm, "not-worth",
                 "the gain did not last: fresh pairs show it is not worth having");
    case TestEnd::kInconclusive:
      return end(domain::VerdictKind::kInconclusive, domain::Stage::kConfirm, "not-confirmed",
                 "fresh pairs did not confirm the gain");
  }
}

// The first stage is only refused here; lesser doubts are put to the confirm stage, whose fresh
// build, inputs and processes are what a suspect is re-measured with.
bool Gate::end_by_guardrails() {
  std::vector<domain::Pair> counted;
  for (const auto& pair : is_confirming() ? confirm_pairs_ : pairs_)
    if (judge_pair(pair).outcome == PairOutcome::kCounts) counted.push_back(pair);
  GuardContext context;
  context.pairs = counted;
  context.gain = running_interval();
  context.is_confirm = is_confirming();
  context.worthwhile_gain =
      worthwhile_gain(rule_of(options_, estimate_noise(calibration_, pairs_, confirm_pairs_)));
  context.touched_share = options_.touched_share;
  context.upper_speedup = options_.upper_speedup;
  context.is_whole_program = options_.is_whole_program;
  context.is_inner = options_.is_inner;
  context.is_own_word = options_.is_own_word;
  context.metric = options_.metric;
  context.guards = options_.guards;
  for (const auto& finding : findings(GuardPhase::kAfter, context, options_.without)) {
    const bool is_note = finding.kind == FindingKind::kNote ||
                         (!is_confirming() && finding.kind != FindingKind::kReject);
    if (verdict_ || is_note) {
      notes_.push_back(finding.detail);
      continue;
    }
    const auto kind = finding.kind == FindingKind::kReject    ? domain::VerdictKind::kRejected
                      : finding.kind == FindingKind::kRevert  ? domain::VerdictKind::kReverted
                      : finding.kind == FindingKind::kSuspect ? domain::VerdictKind::kSuspect
                                                              : domain::VerdictKind::kInconclusive;
    end(kind, domain::Stage::kGuardrails, finding.reason, finding.detail);
  }
  return verdict_.has_value();
}

void Gate::end(domain::VerdictKind kind, domain::Stage stage, std::string reason,
               std::string detail) {
  domain::Verdict verdict{kind, stage, std::move(reason), std::move(detail), running_interval(), 0};
  verdict.pairs = static_cast<int>(pairs_.size() + confirm_pairs_.size());
  if (verdict.gain) {
    const Figures figures{*verdict.gain, static_cast<int>(counted_gains(pairs_).x.size()),
                          static_cast<int>(counted_gains(confirm_pairs_).x.size()), noise()};
    verdict.detail += (verdict.detail.empty() ? "" : ": ") + figures_text(figures);
  }
  verdict_ = std::move(verdict);
  phase_ = Phase::kDone;
}

std::optional<domain::Interval> Gate::running_interval() const {
  const auto confirm = counted_gains(confirm_pairs_);
  const auto gains = confirm.x.empty() ? counted_gains(pairs_) : confirm;
  if (gains.x.empty()) return std::nullopt;
  const auto noise = estimate_noise(calibration_, pairs_, confirm_pairs_);
  return gain_interval(gains.x, gains.windows, rule_of(options_, noise));
}

double Gate::noise() const { return estimate_noise(calibration_, pairs_, confirm_pairs_).s_aa; }

}  // namespace arbor::measure
