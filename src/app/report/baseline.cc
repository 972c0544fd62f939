// SPDX-License-Identifier: Apache-2.0
#include "app/report/baseline.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/report.h"
#include "base/text.h"

namespace arbor::app {
namespace {

constexpr std::size_t kShownHotspots = 10;

const engine::Profiled* root_profile(const engine::CampaignState& state) {
  for (const auto& profiled : state.profiles)
    if (profiled.node.value == 0) return &profiled;
  return nullptr;
}

std::string commands_text(const domain::Manifest& manifest) {
  const auto& metric = manifest.bench.metric;
  return fmt::format("\nbuild    {}\ncheck    {}\nbench    {}\nmetric   {}, {} is better\n",
                     base::printable(manifest.build.command),
                     base::printable(manifest.check.command),
                     base::printable(manifest.bench.command), base::printable(metric.name),
                     metric.goal == domain::Goal::kMaximise ? "more" : "less");
}

std::string preparation_text(const engine::BaselineReady& baseline) {
  std::string text =
      fmt::format("\nbuilt    in {}; two builds are {}\nchecked  in {}, exit code {}",
                  base::format_duration(baseline.build_s),
                  baseline.has_hash_proof ? "equal, so that hashes prove what a change does"
                                          : "not equal, so that hashes prove nothing",
                  base::format_duration(baseline.check_s), baseline.check_exit_code);
  if (baseline.score) text += fmt::format(", score {}", *baseline.score);
  if (!baseline.golden.empty())
    text += fmt::format(", {} output(s) kept to compare with", baseline.golden.size());
  return text + "\n";
}

std::string calibration_text(const engine::Calibrated& calibrated) {
  const auto& calibration = calibrated.calibration;
  return fmt::format(
      "noise    {:.1f} % a pair over {} pairs of equal builds, mean {:+.1f} %\n"
      "launch   {} (median); gains from {:.1f} % up can be proved with 20 pairs\n",
      100 * calibration.s_aa, calibration.pairs, 100 * std::expm1(calibration.mean),
      base::format_duration(static_cast<double>(calibration.launch_ns_median) / 1e9),
      100 * std::expm1(calibration.smallest_detectable));
}

std::string profile_text(const domain::Profile& profile) {
  std::string text = fmt::format("\nProfile ({}, {} samples)\n", profile.tool, profile.samples);
  for (std::size_t i = 0; i < profile.hotspots.size() && i < kShownHotspots; ++i) {
    const auto& spot = profile.hotspots[i];
    const std::string where =
        spot.file.empty() ? spot.object : fmt::format("{}:{}", spot.file, spot.line);
    text += fmt::format("  {:5.1f} %  {}  ({})\n", 100 * spot.share,
                        base::elided(base::printable(spot.symbol), 100), base::printable(where));
  }
  if (!profile.note.empty()) text += "  " + profile.note + "\n";
  return text;
}

base::Json hotspots_json(const domain::Profile& profile) {
  base::Json list = base::Json::array();
  for (const auto& spot : profile.hotspots)
    list.push_back({{"symbol", spot.symbol},
                    {"object", spot.object},
                    {"file", spot.file.empty() ? base::Json(nullptr) : base::Json(spot.file)},
                    {"line", spot.line > 0 ? base::Json(spot.line) : base::Json(nullptr)},
                    {"share", spot.share}});
  return list;
}

base::Json calibration_json(const engine::CampaignState& state) {
  if (!state.calibrated) return nullptr;
  const auto& calibration = state.calibrated->calibration;
  return {{"pairs", calibration.pairs},
          {"s_aa", calibration.s_aa},
          {"mean", calibration.mean},
          {"lag1", calibration.lag1},
          {"smallest_detectable", std::exp(calibration.smallest_detectable)},
          {"launch_s", static_cast<double>(calibration.launch_ns_median) / 1e9}};
}

}  // namespace

std::string baseline_text(const engine::CampaignState& state, const domain::Manifest& manifest) {
  std::string text = "n0  the baseline\n";
  if (state.started)
    text += fmt::format("{} at {}\n", base::printable(state.started->program),
                        state.started->commit.substr(0, 10));
  text += commands_text(manifest);
  if (state.baseline) text += preparation_text(*state.baseline);
  if (state.calibrated) text += calibration_text(*state.calibrated);
  if (state.self_test)
    text += fmt::format("self-test of the gate {}: {}\n",
                        state.self_test->is_passed ? "passed" : "FAILED",
                        base::printable(state.self_test->detail));
  if (const auto* profiled = root_profile(state)) text += profile_text(profiled->profile);
  return text;
}

base::Json baseline_json(const engine::CampaignState& state, const domain::Manifest& manifest) {
  base::Json json = {{"schema", "arbor.baseline/1"}, {"node", "n0"}};
  json["commit"] = state.started ? base::Json(state.started->commit) : base::Json(nullptr);
  json["commands"] = {{"build", manifest.build.command},
                      {"check", manifest.check.command},
                      {"bench", manifest.bench.command}};
  const auto& baseline = state.baseline;
  json["build_s"] = baseline ? base::Json(baseline->build_s) : base::Json(nullptr);
  json["check_s"] = baseline ? base::Json(baseline->check_s) : base::Json(nullptr);
  json["check_exit_code"] = baseline ? base::Json(baseline->check_exit_code) : base::Json(nullptr);
  json["score"] = baseline && baseline->score ? base::Json(*baseline->score) : base::Json(nullptr);
  json["has_hash_proof"] = baseline ? base::Json(baseline->has_hash_proof) : base::Json(nullptr);
  json["calibration"] = calibration_json(state);
  json["self_test"] = self_test_json(state);
  const auto* profiled = root_profile(state);
  json["profile"] = profiled != nullptr ? base::Json{{"tool", profiled->profile.tool},
                                                     {"samples", profiled->profile.samples},
                                                     {"note", profiled->profile.note},
                                                     {"hotspots", hotspots_json(profiled->profile)}}
                                        : base::Json(nullptr);
  return json;
}

}  // namespace arbor::app
