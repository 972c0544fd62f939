// SPDX-License-Identifier: Apache-2.0
#include "engine/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "base/json.h"
#include "base/text.h"
#include "engine/record_checks.h"
#include "engine/record_json.h"
#include "workspace/recipe_json.h"

// Unknown is null: an empty optional is written as null and read back as empty.
namespace nlohmann {
template <typename T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& j, const std::optional<T>& value) {
    if (value)
      j = *value;
    else
      j = nullptr;
  }
  static void from_json(const json& j, std::optional<T>& value) {
    if (j.is_null())
      value.reset();
    else if constexpr (arbor::engine::WholeNumber<T>)
      value = arbor::engine::whole_number<T>(j);
    else
      value = j.get<T>();
  }
};
template <typename Tag>
struct adl_serializer<arbor::base::Id<Tag>> {
  static void to_json(json& j, const arbor::base::Id<Tag>& id) { j = id.value; }
  static void from_json(const json& j, arbor::base::Id<Tag>& id) {
    id.value = arbor::engine::whole_number<std::int64_t>(j);
  }
};
}  // namespace nlohmann

namespace arbor::domain {
using nlohmann::json;

ARBOR_JSON_OF(Setting, key, text, origin)
ARBOR_JSON_OF(ManifestSource, toml, user_toml, settings)
ARBOR_JSON_OF(Interval, estimate, low, high)
ARBOR_JSON_OF(Launch, wall_ns, user_ns, system_ns, peak_bytes, metric, guards, exit_code, failure,
              is_cut, is_outlived, figures)
ARBOR_JSON_OF(Pair, index, candidate_first, trunk, candidate, x, window, void_reason)
ARBOR_JSON_OF(Calibration, pairs, s_aa, mean, lag1, smallest_detectable, launch_ns_median, figures)
ARBOR_JSON_OF(Hotspot, symbol, object, file, line, share, total_share)
ARBOR_JSON_OF(Profile, tool, samples, hotspots, note)
ARBOR_JSON_OF(Prediction, touched_share, local_speedup, upper_speedup, minutes, accuracy_risk,
              crash_risk)

void to_json(json& j, Layer layer) { j = layer_name(layer); }
void from_json(const json& j, Layer& layer) {
  const auto parsed = parse_layer(j.get<std::string>());
  if (!parsed) throw std::invalid_argument("no layer is called " + j.get<std::string>());
  layer = *parsed;
}
void to_json(json& j, VerdictKind kind) { j = verdict_name(kind); }
void from_json(const json& j, VerdictKind& kind) {
  const auto parsed = parse_verdict(j.get<std::string>());
  if (!parsed) throw std::invalid_argument("no verdict is called " + j.get<std::string>());
  kind = *parsed;
}
void to_json(json& j, Stage stage) { j = stage_name(stage); }
void from_json(const json& j, Stage& stage) {
  const auto parsed = parse_stage(j.get<std::string>());
  if (!parsed) throw std::invalid_argument("no stage is called " + j.get<std::string>());
  stage = *parsed;
}

// By their places in the enums.
constexpr const char* kEffects[] = {"forbid", "penalise", "require", "cap"};
constexpr const char* kLapses[] = {"never", "profile-shift", "toolchain-change", "retry-budget"};
template <typename Enum>
Enum named_among(std::span<const char* const> names, const json& j) {
  const auto found = std::ranges::find(names, j.get<std::string>());
  if (found == names.end()) throw std::invalid_argument("no such word: " + j.get<std::string>());
  return static_cast<Enum>(found - names.begin());
}
void to_json(json& j, ConstraintEffect effect) { j = kEffects[static_cast<std::size_t>(effect)]; }
void from_json(const json& j, ConstraintEffect& effect) {
  effect = named_among<ConstraintEffect>(kEffects, j);
}
void to_json(json& j, Lapse lapse) { j = kLapses[static_cast<std::size_t>(lapse)]; }
void from_json(const json& j, Lapse& lapse) { lapse = named_among<Lapse>(kLapses, j); }

ARBOR_JSON_OF(Verdict, kind, stage, reason, detail, gain, pairs)
ARBOR_JSON_OF(Action, id, layer, category, strategy, target, specialist, parameters, title,
              rationale, prediction, enables, enabled_by, settles, covers, step, pays_with, parts)
ARBOR_JSON_OF(ConstraintScope, layer, category, strategy, target, flag, knob, subtree)
ARBOR_JSON_OF(Constraint, id, scope, effect, weight, value, reason, evidence, confidence, lapses,
              publisher)

// Changes and recipes have one JSON form in the whole project: the workspace's.
void to_json(json& j, const Change& change) { j = json::parse(workspace::change_to_json(change)); }
void from_json(const json& j, Change& change) {
  auto parsed = workspace::change_from_json(j.dump(), "change");
  if (!parsed) throw std::invalid_argument(parsed.error().message);
  change = std::move(*parsed);
}
void to_json(json& j, const Recipe& recipe) { j = json::parse(workspace::recipe_to_json(recipe)); }
void from_json(const json& j, Recipe& recipe) {
  auto parsed = workspace::recipe_from_json(j.dump(), "recipe");
  if (!parsed) throw std::invalid_argument(parsed.error().message);
  recipe = std::move(*parsed);
}
}  // namespace arbor::domain

namespace arbor::workspace {
ARBOR_JSON_OF(Tool, name, path, version)
ARBOR_JSON_OF(ToolchainFacts, hash, tools)
ARBOR_JSON_OF(ObjectFile, source, object, directory)
}  // namespace arbor::workspace

namespace arbor::search {
ARBOR_JSON_OF(ScoreTerms, f, s, g, minutes, accuracy_risk, crash_risk, gap, exploit_raw, exploit,
              explore, exploration_weight, multiplier, total, trials_so_far, category_trials)
ARBOR_JSON_OF(Choice, action, parent, score, why)
}  // namespace arbor::search

namespace arbor::engine {
ARBOR_JSON_OF(CampaignStarted, arbor_version, seed, program, commit, is_dirty_snapshot,
              manifest_hash, manifest, budget_s, budget_trials, only, without, is_unsafe, host,
              sandbox, toolchain, notes)
ARBOR_JSON_OF(BaselineReady, artefacts_hash, judge_hash, has_hash_proof, build_s, check_s,
              check_exit_code, score, golden, objects, has_unrecorded_compiles, score_figures)
ARBOR_JSON_OF(CalibrationPair, pair)
ARBOR_JSON_OF(SelfTested, is_passed, detail)
ARBOR_JSON_OF(Calibrated, calibration, x, notes)
ARBOR_JSON_OF(Profiled, node, profile, shift)
ARBOR_JSON_OF(Proposed, node, actions)
ARBOR_JSON_OF(TrialStarted, trial, node, choice)
ARBOR_JSON_OF(ChangePrepared, trial, change)
ARBOR_JSON_OF(StageDone, trial, stage, detail, seconds, log)
ARBOR_JSON_OF(PairMeasured, trial, is_confirm, pair)
ARBOR_JSON_OF(KeySignature, role, is_signed, reason)
ARBOR_JSON_OF(TrialEnded, trial, node, verdict, keys, recipe, commit, annotation, constraints,
              minutes, noise, state)
ARBOR_JSON_OF(FinalMeasured, pairs, log_gain, log_gain_over_tuned, tuned_description,
              log_gain_on_holdout)
ARBOR_JSON_OF(SessionResumed, reason, spent_s, budget_s)
ARBOR_JSON_OF(CampaignStopped, reason, detail, spent_s)

namespace {
using base::Json;

constexpr std::int64_t kLastUnixMs = 253'402'300'799'000;  // the end of the year 9999

// In the order of the variant.
constexpr const char* kTypes[] = {"campaign_started", "baseline_ready",  "calibration_pair",
                                  "self_tested",      "calibrated",      "profiled",
                                  "proposed",         "trial_started",   "change_prepared",
                                  "stage_done",       "pair_measured",   "trial_ended",
                                  "final_measured",   "session_resumed", "campaign_stopped"};
static_assert(std::size(kTypes) == std::variant_size_v<Record>);

// An entry of an older journal as it is written now: what it did not say is unknown.
void upgrade(std::string_view type, Json& body) {
  static const std::tuple<std::string_view, const char*, Json> kAdded[] = {
      {"campaign_started", "manifest", nullptr},
      {"baseline_ready", "objects", Json::array()},
      {"baseline_ready", "has_unrecorded_compiles", false},
      {"baseline_ready", "score_figures", nullptr},
      {"session_resumed", "budget_s", nullptr},
      {"calibrated", "notes", Json::array()},
      {"stage_done", "log", ""},
      {"trial_ended", "state", ""},
      {"final_measured", "log_gain_on_holdout", nullptr}};
  if (!body.is_object()) return;
  for (const auto& [of, key, value] : kAdded)
    if (type == of && !body.contains(key)) body[key] = value;
  if (type == "pair_measured" || type == "calibration_pair")
    for (const char* arm : {"/pair/trunk", "/pair/candidate"})
      if (const Json::json_pointer launch(arm); body.contains(launch) && body[launch].is_object()) {
        body[launch].emplace("is_outlived", false);
        body[launch].emplace("figures", 0);
      }
  if (type == "calibrated" && body.contains("calibration") && body["calibration"].is_object())
    body["calibration"].emplace("figures", nullptr);
  if (type == "campaign_started" && body.contains("toolchain") && body["toolchain"].is_string())
    body["toolchain"] = {{"hash", ""}, {"tools", Json::array()}};
}

template <std::size_t kIndex = 0>
Record parse_as(std::size_t index, const Json& body) {
  if constexpr (kIndex < std::variant_size_v<Record>) {
    if (index == kIndex) return body.get<std::variant_alternative_t<kIndex, Record>>();
    return parse_as<kIndex + 1>(index, body);
  } else {
    throw std::invalid_argument("unknown type");
  }
}
}  // namespace

std::string record_type(const Record& record) { return kTypes[record.index()]; }

ports::Event encode(const Record& record, std::int64_t unix_ms) {
  const Json body = std::visit([](const auto& value) { return Json(value); }, record);
  return {0, unix_ms, record_type(record), base::dump_json(body)};
}

base::Result<Record> decode(const ports::Event& event) {
  const auto* const type = std::ranges::find(kTypes, event.type);
  const std::string where =
      fmt::format("journal entry {} ({})", event.sequence, base::printable(event.type));
  if (type == std::end(kTypes))
    return base::fail(base::ErrorKind::kCorrupt,
                      where + ": written by a newer Arbor? This version does not know the type");
  auto body = base::parse_json(event.body, where);
  if (!body) return base::fail(base::ErrorKind::kCorrupt, body.error().message);
  if (event.unix_ms < 0 || event.unix_ms > kLastUnixMs)
    return base::fail(base::ErrorKind::kCorrupt,
                      fmt::format("{}: 'unix_ms' is {}, which is no time", where, event.unix_ms));
  try {
    upgrade(event.type, *body);
    Record record = parse_as(static_cast<std::size_t>(type - std::begin(kTypes)), *body);
    const auto objection = objection_to(record);
    if (!objection) return record;
    return base::fail(base::ErrorKind::kCorrupt, fmt::format("{}: {}", where, *objection));
  } catch (const std::exception& error) {
    return base::fail(base::ErrorKind::kCorrupt,
                      fmt::format("{}: {}", where, base::json_problem(error.what())));
  }
}

}  // namespace arbor::engine
