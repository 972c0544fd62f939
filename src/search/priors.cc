// SPDX-License-Identifier: Apache-2.0
#include "search/priors.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace arbor::search {
namespace {

// "measured": ratios measured on CPU programs, one machine, weighted towards the low end.
// "published": tables of full-stack optimisation agents on serving stacks; minutes are theirs.
// Columns: category, s, upper, minutes, r_acc, r_crash, source.
constexpr Prior kPriors[] = {
    {"application", 1.10, 1.60, 5, .05, .05, "published: framework agent patches 0-15 %"},
    {"application.options", 1.10, 1.60, 1, .05, .03, "measured: option of a program 1.44"},
    {"application.io", 1.02, 1.15, 2, .02, .02, "measured: buffering near 1.00"},
    {"application.tidy", 1.02, 1.20, 2, .02, .02, "published: operator tuning 3-4 %"},
    {"application.data-layout", 1.10, 2.00, 5, .05, .05, "published: framework 0-15 %"},
    {"combined", 1.05, 2.00, 2, .05, .05, "published: 3.1+2.9+0.3 % gave 41 % together"},
    {"communication", 1.025, 1.15, 30, .05, .05, "published: 2-3 %, 30 min"},
    {"compiler", 1.0175, 1.30, 1, .05, .03, "published: compiler tuning 1.5-2 %"},
    {"compiler.choice", 1.02, 1.30, 2, .05, .05, "published: compiler tuning 1.5-2 %"},
    {"compiler.fast-math", 1.15, 3.50, 1, .30, .02, "measured: 1.64 alone, 3.5 with native"},
    {"compiler.flags", 1.0175, 1.30, 1, .05, .03, "published: compiler tuning 1.5-2 %"},
    {"compiler.lto", 1.02, 1.20, 2, .02, .05, "measured: PGO and LTO of a solver 1.16"},
    {"compiler.isa", 1.05, 3.50, 1, .03, .03, "measured: 0.77-0.96 alone, 3.5 enabled"},
    {"compiler.opt-level", 1.30, 4.00, 1, .03, .02, "measured: missing -O 1.30"},
    {"compiler.pgo", 1.20, 1.50, 3, .02, .05, "measured: interpreter 1.25-1.30"},
    {"framework", 1.0225, 1.15, 15, .15, .10, "published: framework rebuild 2-2.5 %"},
    {"framework.patch", 1.07, 1.30, 15, .10, .20, "published: framework agent 0-15 %"},
    {"kernel", 1.055, 2.00, 5, .05, .05, "published: deep kernel optimisation 5-6 %"},
    {"kernel.gemm", 1.10, 2.00, 30, .10, .10, "published: gemm tuning 5-20 %"},
    {"kernel.loop", 1.50, 4.00, 2, .05, .05, "measured: interchange 2.8"},
    {"kernel.operator", 1.035, 1.20, 30, .02, .02, "published: operator tuning 3-4 %"},
    {"kernel.vectorise", 1.50, 4.00, 2, .10, .03, "measured: simd reduction, native 3.7"},
    {"runtime", 1.05, 1.50, 2, .02, .05, "measured: allocators and threads, low end"},
    {"runtime.allocator", 1.15, 1.60, 1, .01, .05, "measured: allocation-heavy 1.15-1.47"},
    {"runtime.threads", 1.20, 4.00, 1, .03, .05, "measured: idle cores only"},
    {"runtime.wait", 1.02, 1.50, 1, .01, .05, "measured: spinning under contention 0.15"},
    {"system", 1.01, 1.15, 1, .01, .05, "measured: huge pages 0.63-1.02"},
    {"system.huge-pages", 1.01, 1.15, 1, .01, .03, "measured: huge pages 0.63-1.02"},
};
constexpr Prior kGeneral = {"", 1.02, 1.30, 5, .05, .05, "published: median of families"};

constexpr double kCategoryStrength = 8;  // pseudo-trials behind a predicted risk
constexpr double kStrategyStrength = 4;

const Prior* find_exactly(std::string_view category) {
  const auto found =
      std::ranges::find_if(kPriors, [&](const Prior& prior) { return prior.category == category; });
  return found == std::end(kPriors) ? nullptr : found;
}

double median(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

void insert_sorted(std::vector<double>& sorted, double value) {
  sorted.insert(std::ranges::upper_bound(sorted, value), value);
}

double predicted_minutes(const domain::Action& action) {
  const double minutes = is_unpredicted(action.prediction) ? prior_of(action.category).minutes
                                                           : action.prediction.minutes;
  return std::max(minutes, 1e-3);
}

}  // namespace

std::span<const Prior> priors() { return kPriors; }

const Prior& prior_of(std::string_view category) {
  if (const auto* exact = find_exactly(category)) return *exact;
  if (const auto* layer = find_exactly(category.substr(0, category.find('.')))) return *layer;
  return kGeneral;
}

bool is_unpredicted(const domain::Prediction& prediction) {
  domain::Prediction untouched;
  untouched.touched_share = prediction.touched_share;
  return prediction == untouched;
}

domain::Prediction with_prior(domain::Prediction prediction, std::string_view category) {
  const Prior& prior = prior_of(category);
  if (is_unpredicted(prediction)) {
    prediction.local_speedup = prior.local_speedup;
    prediction.minutes = prior.minutes;
  }
  if (prediction.upper_speedup <= 1) {
    const double twice = std::exp(2 * domain::expected_log_gain(prediction));
    prediction.upper_speedup = std::max(twice, prior.upper_speedup);
  }
  if (prediction.accuracy_risk <= 0) prediction.accuracy_risk = prior.accuracy_risk;
  if (prediction.crash_risk <= 0) prediction.crash_risk = prior.crash_risk;
  return prediction;
}

void Risks::observe(const domain::Action& action, const domain::Verdict& verdict) {
  using domain::Stage;
  using domain::VerdictKind;
  const bool has_crashed = verdict.kind == VerdictKind::kCrashed;
  if (has_crashed || verdict.stage > Stage::kBuild) add(crash_, action, has_crashed);
  const bool is_wrong =
      verdict.kind == VerdictKind::kRejected && verdict.reason.starts_with("wrong");
  if (!has_crashed && (is_wrong || verdict.stage > Stage::kCheck)) add(accuracy_, action, is_wrong);
}

double Risks::accuracy(const domain::Action& action, double prior) const {
  return posterior(accuracy_, action, prior);
}

double Risks::crash(const domain::Action& action, double prior) const {
  return posterior(crash_, action, prior);
}

void Risks::add(Counts& counts, const domain::Action& action, bool has_failed) {
  for (Count* count : {&counts.by_category[action.category],
                       &counts.by_strategy[action.category + "\n" + action.strategy]}) {
    ++count->trials;
    count->failures += has_failed ? 1 : 0;
  }
}

double Risks::posterior(const Counts& counts, const domain::Action& action, double prior) {
  const auto update = [](double mean, double strength, const auto& table, const std::string& key) {
    const auto found = table.find(key);
    if (found == table.end()) return mean;
    return (mean * strength + found->second.failures) / (strength + found->second.trials);
  };
  const double category = update(prior, kCategoryStrength, counts.by_category, action.category);
  return update(category, kStrategyStrength, counts.by_strategy,
                action.category + "\n" + action.strategy);
}

void Minutes::learn(const domain::Action& action, double minutes) {
  if (!std::isfinite(minutes) || minutes <= 0) return;
  insert_sorted(timed_[action.category], minutes);
  insert_sorted(ratios_, minutes / predicted_minutes(action));
}

double Minutes::of(const domain::Action& action) const {
  const double scale = ratios_.empty() ? 1 : median(ratios_);
  const double scaled = scale * predicted_minutes(action);
  const auto found = timed_.find(action.category);
  if (found == timed_.end()) return scaled;
  auto times = found->second;
  insert_sorted(times, scaled);
  return median(times);
}

}  // namespace arbor::search
