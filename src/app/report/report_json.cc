// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "app/report/origins.h"
#include "app/report/report.h"
#include "app/report/untried.h"

namespace arbor::app {
namespace {
using base::Json;

constexpr double kFalseKeepPerTest = 0.0018;  // both stages of the sequential test, by simulation

Json trial_json(const engine::CampaignState& state, const engine::Trial& trial) {
  const auto& action = trial.start.choice.action;
  Json json = {{"trial", trial.start.trial.text()},
               {"node", trial.start.node.text()},
               {"layer", domain::layer_name(action.layer)},
               {"category", action.category},
               {"action", action.title},
               {"target", action.target.empty() ? Json(nullptr) : Json(action.target)},
               {"specialist", action.specialist},
               {"predicted", std::exp(domain::expected_log_gain(action.prediction))},
               {"gain", nullptr}};
  add_origins(json, state, action);
  if (!trial.end) return json;
  json["verdict"] = domain::verdict_name(trial.end->verdict.kind);
  json["stage"] = domain::stage_name(trial.end->verdict.stage);
  json["reason"] = trial.end->verdict.reason;
  json["detail"] = trial.end->verdict.detail;
  json["gain"] = speedup_json(trial.end->verdict.gain);
  json["pairs"] = trial.end->verdict.pairs;
  json["minutes"] = trial.end->minutes;
  return json;
}

Json trials_json(const engine::CampaignState& state) {
  Json counts = {{"total", state.decided()}};
  for (const auto kind : {domain::VerdictKind::kKept, domain::VerdictKind::kReverted,
                          domain::VerdictKind::kInconclusive, domain::VerdictKind::kCrashed,
                          domain::VerdictKind::kRejected, domain::VerdictKind::kSuspect})
    counts[std::string(domain::verdict_name(kind))] = state.count(kind);
  return counts;
}

Json noise_json(const engine::CampaignState& state) {
  if (!state.calibrated) return nullptr;
  const auto& calibration = state.calibrated->calibration;
  return {{"s_aa", calibration.s_aa},
          {"pairs", calibration.pairs},
          {"smallest_detectable", std::exp(calibration.smallest_detectable)}};
}

Json environment_json(const engine::CampaignState& state) {
  if (!state.started) return nullptr;
  Json toolchain = nullptr;
  if (!state.started->toolchain.hash.empty()) {
    toolchain = Json::array();
    for (const auto& [name, path, version] : state.started->toolchain.tools)
      toolchain.push_back({{"name", name}, {"path", path}, {"version", version}});
  }
  return {
      {"host", state.started->host}, {"sandbox", state.started->sandbox}, {"toolchain", toolchain}};
}

int tests_of(const engine::CampaignState& state) {
  return static_cast<int>(std::ranges::count_if(
      state.trials, [](const engine::Trial& trial) { return !trial.pairs.empty(); }));
}

Json untried_json(const Untried& idea) {
  return {{"action", idea.action.title},
          {"layer", domain::layer_name(idea.action.layer)},
          {"category", idea.action.category},
          {"specialist", idea.action.specialist},
          {"predicted", std::exp(domain::expected_log_gain(idea.action.prediction))},
          {"proposed_at", idea.proposed_at.text()},
          {"why", idea.why}};
}

}  // namespace

double expected_false_keeps(const engine::CampaignState& state) {
  return kFalseKeepPerTest * tests_of(state);
}

Json self_test_json(const engine::CampaignState& state) {
  if (!state.self_test) return nullptr;
  return {{"passed", state.self_test->is_passed}, {"detail", state.self_test->detail}};
}

Json speedup_json(const std::optional<domain::Interval>& log_gain) {
  if (!log_gain) return nullptr;
  const auto speedup = domain::speedup_of(*log_gain);
  return {{"estimate", speedup.estimate}, {"low", speedup.low}, {"high", speedup.high}};
}

Json report_json(const engine::CampaignState& state, const domain::Manifest& manifest) {
  Json report = {{"schema", "arbor.report/1"}, {"program", manifest.program.name}};
  report["commit"] = state.started ? Json(state.started->commit) : Json(nullptr);
  report["seed"] = state.started ? Json(state.started->seed) : Json(nullptr);
  report["metric"] = manifest.bench.metric.name;
  const auto& final = state.final_measured;
  report["speedup"] = final ? speedup_json(final->log_gain) : Json(nullptr);
  report["speedup_over_tuned"] = final ? speedup_json(final->log_gain_over_tuned) : Json(nullptr);
  report["tuned_baseline"] =
      final && !final->tuned_description.empty() ? Json(final->tuned_description) : Json(nullptr);
  report["speedup_on_holdout"] = final ? speedup_json(final->log_gain_on_holdout) : Json(nullptr);
  report["final_pairs"] = final ? Json(final->pairs) : Json(nullptr);
  report["trials"] = trials_json(state);
  report["expected_false_keeps"] = expected_false_keeps(state);
  report["self_test"] = self_test_json(state);
  report["noise"] = noise_json(state);
  report["kept"] = Json::array();
  report["tried"] = Json::array();
  std::set<std::string> layers;
  for (const auto& trial : state.trials) {
    const Json json = trial_json(state, trial);
    layers.insert(json["layer"].get<std::string>());
    report["tried"].push_back(json);
    if (trial.end && trial.end->verdict.kind == domain::VerdictKind::kKept)
      report["kept"].push_back(json);
  }
  report["layers_tried"] = layers;
  report["stopped"] =
      state.stopped ? Json{{"reason", state.stopped->reason}, {"detail", state.stopped->detail}}
                    : Json(nullptr);
  report["spent_s"] = state.stopped ? Json(state.stopped->spent_s) : Json(nullptr);
  report["environment"] = environment_json(state);
  report["not_tried"] = Json::array();
  for (const auto& idea : untried_ideas(state)) report["not_tried"].push_back(untried_json(idea));
  report["notes"] = notes_of(state);
  return report;
}

}  // namespace arbor::app
