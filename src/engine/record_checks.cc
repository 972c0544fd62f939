// SPDX-License-Identifier: Apache-2.0
#include "engine/record_checks.h"

#include <fmt/format.h>

#include <cmath>

namespace arbor::engine {
namespace {

constexpr double kMaxLogGain = 1500;  // of the largest number to the smallest
constexpr double kMaxSeconds = 1e10;
constexpr double kMaxNumber = 1e15;
constexpr double kRounding = 1e-6;
constexpr int kMaxStep = 1'000'000;

// Remembers the first number that is out of its bounds.
class Checks {
 public:
  const std::optional<std::string>& objection() const { return objection_; }

  void between(std::string_view key, double value, double low, double high, std::string_view what) {
    if (!objection_ && !(value >= low && value <= high))
      objection_ = fmt::format("'{}' is {}: {}", key, value, what);
  }
  void log_gain(std::string_view key, double value) {
    between(key, value, -kMaxLogGain, kMaxLogGain, "no gain is that large");
  }
  void seconds(std::string_view key, double value) {
    between(key, value, 0, kMaxSeconds, "a time is not negative and ends");
  }
  void share(std::string_view key, double value) {
    between(key, value, 0, 1 + kRounding, "a share is between 0 and 1");
  }
  void amount(std::string_view key, double value) {
    between(key, value, 0, kMaxNumber, "it is not negative and not as large");
  }
  void interval(const std::string& key, const domain::Interval& interval) {
    log_gain(key + ".low", interval.low);
    log_gain(key + ".high", interval.high);
    between(key + ".estimate", interval.estimate, interval.low - kRounding,
            interval.high + kRounding, "it lies between low and high");
  }
  void interval(const std::string& key, const std::optional<domain::Interval>& given) {
    if (given) interval(key, *given);
  }
  template <typename Id>
  void id(std::string_view key, Id id, std::int64_t lowest) {
    between(key, static_cast<double>(id.value), static_cast<double>(lowest), kMaxNumber,
            "no such number is given");
  }

  void launch(const std::string& key, const domain::Launch& launch) {
    const auto time_ns = [&](const char* name, std::int64_t ns) {
      seconds(key + name, static_cast<double>(ns) * 1e-9);
    };
    time_ns(".wall_ns", launch.wall_ns);
    time_ns(".user_ns", launch.user_ns);
    time_ns(".system_ns", launch.system_ns);
    amount(key + ".figures", static_cast<double>(launch.figures));
    if (launch.peak_bytes) amount(key + ".peak_bytes", static_cast<double>(*launch.peak_bytes));
    const auto figure = [&](const std::string& name, std::optional<double> value) {
      if (value) between(key + name, *value, 0, HUGE_VAL, "a metric is not negative");
    };
    figure(".metric", launch.metric);
    for (const auto& guard : launch.guards) figure(".guards", guard);
  }
  void pair(const std::string& key, const domain::Pair& pair) {
    amount(key + ".index", pair.index);
    amount(key + ".window", pair.window);
    launch(key + ".trunk", pair.trunk);
    launch(key + ".candidate", pair.candidate);
    if (pair.x) log_gain(key + ".x", *pair.x);
  }
  void action(const std::string& key, const domain::Action& action) {
    const auto& prediction = action.prediction;
    id(key + ".id", action.id, -1);
    share(key + ".prediction.touched_share", prediction.touched_share);
    amount(key + ".prediction.local_speedup", prediction.local_speedup);
    amount(key + ".prediction.upper_speedup", prediction.upper_speedup);
    seconds(key + ".prediction.minutes", prediction.minutes);
    share(key + ".prediction.accuracy_risk", prediction.accuracy_risk);
    share(key + ".prediction.crash_risk", prediction.crash_risk);
    between(key + ".step", action.step, -kMaxStep, kMaxStep, "no order has so many places");
    for (const auto part : action.parts) id(key + ".parts", part, 1);
  }

  void record(const CampaignStarted& started) {
    seconds("budget_s", started.budget_s);
    if (started.budget_trials) amount("budget_trials", *started.budget_trials);
  }
  void record(const BaselineReady& baseline) {
    seconds("build_s", baseline.build_s);
    seconds("check_s", baseline.check_s);
  }
  void record(const CalibrationPair& calibration) { pair("pair", calibration.pair); }
  void record(const SelfTested&) {}
  void record(const Calibrated& calibrated) {
    const auto& found = calibrated.calibration;
    amount("calibration.pairs", found.pairs);
    between("calibration.s_aa", found.s_aa, 0, kMaxLogGain, "a deviation is not negative");
    log_gain("calibration.mean", found.mean);
    log_gain("calibration.lag1", found.lag1);
    between("calibration.smallest_detectable", found.smallest_detectable, 0, kMaxLogGain,
            "a gain to detect is not negative");
    seconds("calibration.launch_ns_median", static_cast<double>(found.launch_ns_median) * 1e-9);
    for (const double x : calibrated.x) log_gain("x", x);
  }
  void record(const Profiled& profiled) {
    id("node", profiled.node, 0);
    amount("profile.samples", static_cast<double>(profiled.profile.samples));
    for (const auto& spot : profiled.profile.hotspots) {
      amount("profile.hotspots.line", spot.line);
      share("profile.hotspots.share", spot.share);
      share("profile.hotspots.total_share", spot.total_share);
    }
    between("shift", profiled.shift, 0, 1 + kRounding, "a shift is between 0 and 1");
  }
  void record(const Proposed& proposed) {
    id("node", proposed.node, 0);
    for (const auto& each : proposed.actions) action("actions", each);
  }
  void record(const TrialStarted& started) {
    const auto& terms = started.choice.score;
    id("trial", started.trial, 1);
    id("node", started.node, 1);
    id("choice.parent", started.choice.parent, 0);
    action("choice.action", started.choice.action);
    amount("choice.score.trials_so_far", terms.trials_so_far);
    amount("choice.score.category_trials", terms.category_trials);
    share("choice.score.f", terms.f);
    amount("choice.score.s", terms.s);
    seconds("choice.score.minutes", terms.minutes);
    for (const double term :
         {terms.g, terms.gap, terms.exploit_raw, terms.exploit, terms.explore, terms.total})
      between("choice.score", term, -kMaxNumber, kMaxNumber, "no term is that large");
  }
  void record(const ChangePrepared& prepared) { id("trial", prepared.trial, 1); }
  void record(const StageDone& done) {
    id("trial", done.trial, -1);
    seconds("seconds", done.seconds);
  }
  void record(const PairMeasured& measured) {
    id("trial", measured.trial, -1);
    pair("pair", measured.pair);
  }
  void record(const TrialEnded& ended) {
    id("trial", ended.trial, 1);
    id("node", ended.node, 1);
    interval("verdict.gain", ended.verdict.gain);
    amount("verdict.pairs", ended.verdict.pairs);
    seconds("minutes", ended.minutes);
    between("noise", ended.noise, 0, kMaxLogGain, "a deviation is not negative");
    for (const auto& constraint : ended.constraints) {
      between("constraints.weight", constraint.weight, 0, kMaxNumber, "a weight is not negative");
      share("constraints.confidence", constraint.confidence);
      id("constraints.scope.subtree", constraint.scope.subtree, -1);
      for (const auto trial : constraint.evidence) id("constraints.evidence", trial, 1);
    }
  }
  void record(const FinalMeasured& measured) {
    amount("pairs", measured.pairs);
    interval("log_gain", measured.log_gain);
    interval("log_gain_over_tuned", measured.log_gain_over_tuned);
    interval("log_gain_on_holdout", measured.log_gain_on_holdout);
  }
  void record(const SessionResumed& resumed) {
    seconds("spent_s", resumed.spent_s);
    if (resumed.budget_s) seconds("budget_s", *resumed.budget_s);
  }
  void record(const CampaignStopped& stopped) { seconds("spent_s", stopped.spent_s); }

 private:
  std::optional<std::string> objection_;
};

}  // namespace

std::optional<std::string> objection_to(const Record& record) {
  Checks checks;
  std::visit([&](const auto& value) { checks.record(value); }, record);
  return checks.objection();
}

}  // namespace arbor::engine
