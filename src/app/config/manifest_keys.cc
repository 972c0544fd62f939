// SPDX-License-Identifier: Apache-2.0
#include "app/config/manifest_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/config/bind.h"
#include "app/config/quantity.h"
#include "base/text.h"

namespace arbor::app {

std::string default_text(KeyType, const std::string& value) {
  return value.empty() ? "" : toml_quoted(value);
}

std::string default_text(KeyType type, double value) {
  switch (type) {
    case KeyType::kDuration:
      return toml_quoted(duration_text(value));
    case KeyType::kSize:
      return toml_quoted(size_text(value));
    case KeyType::kFraction:
      return toml_quoted(fraction_text(value));
    default:
      return fmt::format("{}", value);
  }
}

std::string default_text(KeyType, bool value) { return value ? "true" : "false"; }

std::string default_text(KeyType, const std::vector<std::string>& value) {
  std::vector<std::string> quoted;
  quoted.reserve(value.size());
  for (const auto& text : value) quoted.push_back(toml_quoted(text));
  return fmt::format("[{}]", base::join(quoted, ", "));
}

namespace {

using domain::BenchSection;
using domain::BudgetSection;
using domain::BuildSection;
using domain::CheckSection;
using domain::EditSection;
using domain::GoalSection;
using domain::Manifest;
using domain::ProfileSection;
using domain::ProgramSection;
using domain::SandboxSection;
using domain::SearchSection;

const Limits kPositive = {.min = 0, .is_min_allowed = false, .max = kLongest_s};
const Limits kRequired = {.is_required = true};
constexpr double kLargestExact = 9007199254740992.0;  // 2^53: whole numbers up to it are exact

template <typename Target>
Section section(const std::string& name, const std::string& meaning, Target Manifest::* member,
                Keys<Target> keys) {
  Section made{.name = name, .meaning = meaning, .keys = shapes_of(keys), .read = {}};
  made.read = [member, keys = std::move(keys), title = "[" + name + "]"](
                  const Value& value, Manifest& manifest, Problems& problems) {
    decode(keys, std::get<Table>(value.data), title, value.where, manifest.*member, problems);
  };
  return made;
}

Section with_layers(Section section, bool is_in_user_file) {
  section.is_in_user_file = is_in_user_file;
  section.is_in_environment = true;
  return section;
}

Section program_section() {
  return section(
      "program", "What is being made faster.", &Manifest::program,
      Keys<ProgramSection>{key("name", KeyType::kText, &ProgramSection::name,
                               "name in reports; the folder's name when left out"),
                           key("inputs", KeyType::kTexts, &ProgramSection::inputs,
                               "untracked files and folders (weights, data), mounted read-only")});
}

Section build_section() {
  return section(
      "build", "How the program is built.", &Manifest::build,
      Keys<BuildSection>{
          key("command", KeyType::kCommand, &BuildSection::command,
              "command that builds the program, run by sh in its root", kRequired),
          key("timeout", KeyType::kDuration, &BuildSection::timeout_s, "longest a build may take",
              kPositive),
          key("clean", KeyType::kText, &BuildSection::clean,
              "command run before a fresh checkout is built, where build products are committed"),
          key("artefacts", KeyType::kTexts, &BuildSection::artefacts,
              "globs of what the build makes; found by watching its writes when left out")});
}

template <typename Target>
Key<Target> composite(std::string name, KeyType type, std::string meaning,
                      std::vector<KeyShape> inner, decltype(Key<Target>::store) store) {
  return {KeyShape{.name = std::move(name),
                   .type = type,
                   .meaning = std::move(meaning),
                   .default_text = "",
                   .inner = std::move(inner)},
          std::move(store)};
}

Key<CheckSection> score_key() {
  return composite<CheckSection>(
      "score", KeyType::kTable, "a number the check prints, and how bad it may be",
      shapes_of(score_keys()),
      [](CheckSection& check, const Checked& checked, std::string_view title, Problems& problems) {
        check.score = read_score(*checked.value, title, problems);
      });
}

Key<CheckSection> outputs_key() {
  return composite<CheckSection>(
      "outputs", KeyType::kTables, "files compared with those of the baseline",
      shapes_of(output_keys()),
      [](CheckSection& check, const Checked& checked, std::string_view title, Problems& problems) {
        for (const auto& table : std::get<Array>(checked.value->data))
          check.outputs.push_back(read_output(table, title, problems));
      });
}

Section check_section() {
  return section(
      "check",
      "How results are judged: by exit code, by a score, or by outputs compared with the "
      "baseline's.",
      &Manifest::check,
      Keys<CheckSection>{
          key("command", KeyType::kCommand, &CheckSection::command,
              "command that proves the results right; {seed} becomes a fresh number each time",
              kRequired),
          key("timeout", KeyType::kDuration, &CheckSection::timeout_s, "longest a check may take",
              kPositive),
          key("repeat", KeyType::kInteger, &CheckSection::repeat,
              "how many times in a row it must pass", {.min = 1, .max = 1000}),
          key("harness", KeyType::kTexts, &CheckSection::harness,
              "globs of the judge's own files, taken from the baseline and never edited; name the "
              "whole folder of one that imports or includes others, and a program that the build "
              "makes by its path: patterns leave those to the candidate, whose code they hold"),
          score_key(), outputs_key()});
}

Key<BenchSection> metric_key() {
  return composite<BenchSection>(
      "metric", KeyType::kTable, "what is optimised; wall time when left out",
      shapes_of(metric_keys()),
      [](BenchSection& bench, const Checked& checked, std::string_view title, Problems& problems) {
        bench.metric = read_metric(metric_keys(), *checked.value, title, problems);
      });
}

Key<BenchSection> guard_key() {
  return composite<BenchSection>(
      "guard", KeyType::kTables, "metrics that must not get much worse", shapes_of(guard_keys()),
      [](BenchSection& bench, const Checked& checked, std::string_view title, Problems& problems) {
        for (const auto& table : std::get<Array>(checked.value->data))
          bench.guards.push_back(read_metric(guard_keys(), table, title, problems));
      });
}

Section bench_section() {
  return section(
      "bench", "What is measured.", &Manifest::bench,
      Keys<BenchSection>{
          key("command", KeyType::kCommand, &BenchSection::command,
              "command that runs the workload to be made faster, always the same work", kRequired),
          key("timeout", KeyType::kDuration, &BenchSection::timeout_s, "longest a run may take",
              kPositive),
          key("train", KeyType::kText, &BenchSection::train,
              "command with another input, for profile-guided work; the bench itself when left "
              "out"),
          key("holdout", KeyType::kText, &BenchSection::holdout,
              "command with a workload that no decision looks at, measured at the end"),
          key("harness", KeyType::kTexts, &BenchSection::harness,
              "globs of the load generator's own files, taken from the baseline and never edited; a "
              "program that the build makes is one where its path is named"),
          metric_key(), guard_key(),
          key("inner", KeyType::kFlag, &BenchSection::is_inner,
              "the metric may improve although the whole process does not")});
}

Section profile_section() {
  return section("profile", "How hotspots are found.", &Manifest::profile,
                 Keys<ProfileSection>{key("tool", KeyType::kText, &ProfileSection::tool,
                                          "the profiler", {.choices = {"auto", "perf", "none"}}),
                                      key("command", KeyType::kText, &ProfileSection::command,
                                          "command to profile; the bench when left out")});
}

Section edit_section() {
  return section("edit",
                 "What source changes may touch. This file, the harness of check and bench, golden "
                 "data and .git are always denied.",
                 &Manifest::edit,
                 Keys<EditSection>{key("allow", KeyType::kTexts, &EditSection::allow,
                                       "globs of files that may change"),
                                   key("deny", KeyType::kTexts, &EditSection::deny,
                                       "globs of files that may not, stronger than allow")});
}

Section knob_section() {
  return {.name = "knob",
          .meaning = "A setting of the program and the values that may be tried; one table each.",
          .is_repeated = true,
          .keys = shapes_of(knob_keys()),
          .read = [](const Value& value, Manifest& manifest, Problems& problems) {
            manifest.knobs = read_knobs(value, problems);
          }};
}

Section goal_section() {
  return section(
      "goal", "When to be content, and what never to do.", &Manifest::goal,
      Keys<GoalSection>{
          key("speedup", KeyType::kFactor, &GoalSection::speedup,
              "stop once the gain reaches this factor", {.min = 1, .is_min_allowed = false}),
          key("target_cpu", KeyType::kCommand, &GoalSection::target_cpu,
              "oldest processor the result must run on, as -march names it"),
          key("forbid", KeyType::kTexts, &GoalSection::forbid,
              "strategies, categories or flags that are never tried")});
}

Section budget_section() {
  return with_layers(
      section(
          "budget", "What a campaign may spend.", &Manifest::budget,
          Keys<BudgetSection>{key("wall", KeyType::kDuration, &BudgetSection::wall_s,
                                  "time from start to report", kPositive),
                              key("trials", KeyType::kInteger, &BudgetSection::trials,
                                  "most trials; unlimited when left out", {.min = 1, .max = 1e6})}),
      true);
}

Section search_section() {
  return with_layers(
      section(
          "search", "How the next action is chosen.", &Manifest::search,
          Keys<SearchSection>{key("seed", KeyType::kInteger, &SearchSection::seed,
                                  "seed of every random choice", {.min = 0, .max = kLargestExact}),
                              key("score", KeyType::kText, &SearchSection::score,
                                  "formula: Arbor's own, or the one its papers print",
                                  {.choices = {"default", "as-printed"}})}),
      true);
}

Section sandbox_section() {
  return with_layers(
      section("sandbox", "What the program's commands may see and use.", &Manifest::sandbox,
              Keys<SandboxSection>{
                  key("read", KeyType::kTexts, &SandboxSection::read,
                      "folders that stay visible, such as toolchain homes"),
                  key("keep_env", KeyType::kTexts, &SandboxSection::keep_env,
                      "environment variables passed through"),
                  key("memory", KeyType::kSize, &SandboxSection::memory_bytes,
                      "most memory of one launch", {.min = 1 << 20, .max = kLargestExact}),
                  key("processes", KeyType::kInteger, &SandboxSection::processes,
                      "most processes and threads of one launch", {.min = 1, .max = 4194304}),
                  key("network", KeyType::kFlag, &SandboxSection::network,
                      "whether commands may use the network")}),
      true);
}

}  // namespace

const std::vector<Section>& manifest_sections() {
  static const std::vector<Section> kSections = {
      program_section(), build_section(),  check_section(),  bench_section(),
      profile_section(), edit_section(),   knob_section(),   with_layers(goal_section(), false),
      budget_section(),  search_section(), sandbox_section()};
  return kSections;
}

const Section* find_section(std::string_view name) {
  const auto found = std::ranges::find(manifest_sections(), name, &Section::name);
  return found == manifest_sections().end() ? nullptr : &*found;
}

const KeyShape* find_key(const Section& section, std::string_view name) {
  const auto found = std::ranges::find(section.keys, name, &KeyShape::name);
  return found == section.keys.end() ? nullptr : &*found;
}

const std::vector<UnsupportedKey>& unsupported_keys() {
  static const std::vector<UnsupportedKey> kKeys = {
      {"prepare", "", "fill caches before the campaign and name them in [sandbox] read"},
      {"serve", "", "start and stop the server within the bench command"},
      {"models", "", "the built-in specialists need no model"},
      {"executor", "", "everything runs on this machine"},
      {"store", "", "the campaign is stored under .arbor/"},
      {"bench", "pareto", "name one metric and guard the others"},
      {"bench", "case_worse_by_max", "guard each case with a metric of its own"},
      {"knob", "range", "list the values"},
      {"sandbox", "warm_cache", "let the bench warm its caches itself"},
      {"budget", "usd", "nothing costs money without a model"},
      {"budget", "tokens", "nothing costs tokens without a model"},
  };
  return kKeys;
}

}  // namespace arbor::app
