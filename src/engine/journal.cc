// SPDX-License-Identifier: Apache-2.0
#include "engine/journal.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
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
    else
      value = j.get<T>();
  }
};
template <typename Tag>
struct adl_serializer<arbor::base::Id<Tag>> {
  static void to_json(json& j, const arbor::base::Id<Tag>& id) { j = id.value; }
  static void from_json(const json& j, arbor::base::Id<Tag>& id) {
    id.value = j.get<std::int64_t>();
  }
};
}  // namespace nlohmann

namespace arbor::domain {
using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Setting, key, text, origin)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ManifestSource, toml, user_toml, settings)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interval, estimate, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Launch, wall_ns, user_ns, system_ns, peak_bytes, metric, guards,
                                   exit_code, failure, is_cut)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pair, index, candidate_first, trunk, candidate, x, window,
                                   void_reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Calibration, pairs, s_aa, mean, lag1, smallest_detectable,
                                   launch_ns_median)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Hotspot, symbol, object, file, line, share, total_share)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, tool, samples, hotspots, note)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prediction, touched_share, local_speedup, upper_speedup, minutes,
                                   accuracy_risk, crash_risk)

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
NLOHMANN_JSON_SERIALIZE_ENUM(ConstraintEffect, {{ConstraintEffect::kForbid, "forbid"},
                                                {ConstraintEffect::kPenalise, "penalise"},
                                                {ConstraintEffect::kRequire, "require"},
                                                {ConstraintEffect::kCap, "cap"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Lapse, {{Lapse::kNever, "never"},
                                     {Lapse::kProfileShift, "profile-shift"},
                                     {Lapse::kToolchainChange, "toolchain-change"},
                                     {Lapse::kRetryBudget, "retry-budget"}})

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Verdict, kind, stage, reason, detail, gain, pairs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Action, id, layer, category, strategy, target, specialist,
                                   parameters, title, rationale, prediction, enables, enabled_by,
                                   settles, covers, step, pays_with, parts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConstraintScope, layer, category, strategy, target, flag, knob,
                                   subtree)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Constraint, id, scope, effect, weight, value, reason, evidence,
                                   confidence, lapses, publisher)

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
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tool, name, path, version)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ToolchainFacts, hash, tools)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ObjectFile, source, object, directory)
}  // namespace arbor::workspace

namespace arbor::search {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ScoreTerms, f, s, g, minutes, accuracy_risk, crash_risk, gap,
                                   exploit_raw, exploit, explore, exploration_weight, multiplier,
                                   total, trials_so_far, category_trials)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Choice, action, parent, score, why)
}  // namespace arbor::search

namespace arbor::engine {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CampaignStarted, arbor_version, seed, program, commit,
                                   is_dirty_snapshot, manifest_hash, manifest, budget_s,
                                   budget_trials, only, without, is_unsafe, host, sandbox,
                                   toolchain, notes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BaselineReady, artefacts_hash, judge_hash, has_hash_proof,
                                   build_s, check_s, check_exit_code, score, golden, objects,
                                   has_unrecorded_compiles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CalibrationPair, pair)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SelfTested, is_passed, detail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Calibrated, calibration, x, notes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profiled, node, profile, shift)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Proposed, node, actions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialStarted, trial, node, choice)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChangePrepared, trial, change)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StageDone, trial, stage, detail, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PairMeasured, trial, is_confirm, pair)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeySignature, role, is_signed, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrialEnded, trial, node, verdict, keys, recipe, commit,
                                   annotation, constraints, minutes, noise, state)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FinalMeasured, pairs, log_gain, log_gain_over_tuned,
                                   tuned_description, log_gain_on_holdout)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SessionResumed, reason, spent_s, budget_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CampaignStopped, reason, detail, spent_s)

namespace {
using base::Json;

// In the order of the variant.
constexpr const char* kTypes[] = {"campaign_started", "baseline_ready",  "calibration_pair",
                                  "self_tested",      "calibrated",      "profiled",
                                  "proposed",         "trial_started",   "change_prepared",
                                  "stage_done",       "pair_measured",   "trial_ended",
                                  "final_measured",   "session_resumed", "campaign_stopped"};
static_assert(std::size(kTypes) == std::variant_size_v<Record>);

// An entry of an older journal as it is written now: what it did not say is unknown.
void upgrade(std::string_view type, Json& body) {
  if (!body.is_object()) return;
  if (type == "baseline_ready") {
    if (!body.contains("objects")) body["objects"] = Json::array();
    if (!body.contains("has_unrecorded_compiles")) body["has_unrecorded_compiles"] = false;
  }
  if (type == "session_resumed" && !body.contains("budget_s")) body["budget_s"] = nullptr;
  if (type == "calibrated" && !body.contains("notes")) body["notes"] = Json::array();
  if (type == "trial_ended" && !body.contains("state")) body["state"] = "";
  if (type == "final_measured" && !body.contains("log_gain_on_holdout"))
    body["log_gain_on_holdout"] = nullptr;
  if (type != "campaign_started") return;
  if (!body.contains("manifest")) body["manifest"] = nullptr;
  if (body.contains("toolchain") && body["toolchain"].is_string())
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
  const std::string where = fmt::format("journal entry {} ({})", event.sequence, event.type);
  if (type == std::end(kTypes))
    return base::fail(base::ErrorKind::kCorrupt,
                      where + ": written by a newer Arbor? This version does not know the type");
  auto body = base::parse_json(event.body, where);
  if (!body) return base::fail(base::ErrorKind::kCorrupt, body.error().message);
  try {
    upgrade(event.type, *body);
    return parse_as(static_cast<std::size_t>(type - std::begin(kTypes)), *body);
  } catch (const std::exception& error) {
    return base::fail(base::ErrorKind::kCorrupt, fmt::format("{}: {}", where, error.what()));
  }
}

}  // namespace arbor::engine
