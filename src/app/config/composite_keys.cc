// SPDX-License-Identifier: Apache-2.0
// Values of the manifest that are tables themselves: metrics, score rules, output rules, knobs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/config/bind.h"
#include "app/config/quantity.h"
#include "base/pattern.h"
#include "base/text.h"

namespace arbor::app {
namespace {

using domain::Metric;

constexpr double kNoMin = -std::numeric_limits<double>::infinity();

bool needs_pattern(std::string_view reader) { return reader == "json" || reader == "regex"; }

void check_pattern(const std::string& pattern, const Value& at, std::string_view title,
                   Problems& problems) {
  if (base::trim(pattern).empty())
    return problems.add(at, title,
                        "the regular expression is empty: it needs one group around the number");
  const auto compiled = base::Pattern::compile(pattern);
  if (!compiled) return problems.add(at, title, compiled.error().message);
  if (compiled->groups() != 1)
    problems.add(at, title,
                 fmt::format("the regular expression has {} groups, it needs exactly one, around "
                             "the number; (?:...) groups without counting",
                             compiled->groups()));
}

void set_reader(Metric& metric, std::string reader, std::string pattern, const Value& at,
                std::string_view title, Problems& problems) {
  if (reader == "json" && !pattern.empty() && !pattern.starts_with('/'))
    problems.add(at, title, "a JSON pointer starts with '/', as in \"/results/0/mean\"");
  if (reader == "regex") check_pattern(pattern, at, title, problems);
  metric.reader = std::move(reader);
  metric.pattern = std::move(pattern);
}

// "wall", or a table with one reader's name and its pattern, and perhaps the file to read.
void read_reader(Metric& metric, const Checked& checked, std::string_view title,
                 Problems& problems) {
  const Value& at = *checked.value;
  if (const auto* name = std::get_if<std::string>(&at.data)) {
    if (needs_pattern(*name) || base::trim(*name).empty())
      return problems.add(at, title,
                          "write { json = \"/pointer\" } or { regex = \"...(...)...\" }");
    metric.reader = *name;
    metric.pattern.clear();
    return;
  }
  int readers = 0;
  for (const auto& [name, value] : std::get<Table>(at.data)) {
    const auto* text = std::get_if<std::string>(&value.data);
    if (text == nullptr) {
      problems.add(value, fmt::format("{} {}", title, name),
                   "expected a string, found " + describe_value(value));
    } else if (name == "file") {
      metric.file = *text;
    } else {
      set_reader(metric, name, *text, value, title, problems);
      ++readers;
    }
  }
  if (readers != 1)
    problems.add(at, title, "name exactly one reader, as in { json = \"/pointer\" }");
}

bool leaves_the_tree(const std::string& path) {
  const std::filesystem::path given(path);
  if (given.is_absolute()) return true;
  return given.lexically_normal().begin()->string() == "..";
}

void check_inside(const std::string& path, const Value& at, std::string_view title,
                  Problems& problems) {
  if (!path.empty() && leaves_the_tree(path))
    problems.add(at, title,
                 fmt::format("'{}' leaves the program's folder: paths are relative to it and stay "
                             "inside",
                             path));
}

Key<Metric> goal_key() {
  KeyShape shape{.name = "goal",
                 .type = KeyType::kText,
                 .meaning = "which way is better",
                 .default_text = "\"min\"",
                 .choices = {"max", "min"}};
  return {std::move(shape),
          [](Metric& metric, const Checked& checked, std::string_view, Problems&) {
            metric.goal = checked.text == "max" ? domain::Goal::kMaximise : domain::Goal::kMinimise;
          }};
}

Key<Metric> reader_key() {
  KeyShape shape{
      .name = "reader",
      .type = KeyType::kReader,
      .meaning =
          "how the number is read: \"wall\", \"user\", \"system\" or \"memory\" as "
          "the parent sees them, { json = \"/pointer\" } or { regex = \"...\" } "
          "(RE2 syntax) with one group, from standard output or from `file`; its last match "
          "counts",
      .is_required = true};
  return {std::move(shape), read_reader};
}

Keys<Metric> make_metric_keys() {
  return {key("name", KeyType::kText, &Metric::name, "what messages and reports call it"),
          goal_key(), reader_key(),
          key("file", KeyType::kText, &Metric::file,
              "a file the bench writes, read instead of standard output")};
}

// A key of the rule that is a key of its metric.
Key<domain::ScoreRule> of_metric(const Key<Metric>& inner) {
  return {inner.shape, [store = inner.store](domain::ScoreRule& rule, const Checked& checked,
                                             std::string_view title, Problems& problems) {
            store(rule.metric, checked, title, problems);
          }};
}

// json = "/pointer" and regex = "..." directly in the rule.
Key<domain::ScoreRule> pattern_key(const std::string& reader, std::string meaning) {
  KeyShape shape{.name = reader, .type = KeyType::kText, .meaning = std::move(meaning)};
  return {std::move(shape), [reader](domain::ScoreRule& rule, const Checked& checked,
                                     std::string_view title, Problems& problems) {
            set_reader(rule.metric, reader, checked.text, *checked.value, title, problems);
          }};
}

std::string_view kind_name(domain::KnobKind kind) {
  switch (kind) {
    case domain::KnobKind::kEnvironment:
      return "env";
    case domain::KnobKind::kArgument:
      return "argument";
    case domain::KnobKind::kDefine:
      return "define";
    case domain::KnobKind::kFileTemplate:
      return "file-template";
  }
  std::unreachable();
}

Key<domain::Knob> kind_key() {
  KeyShape shape{.name = "kind",
                 .type = KeyType::kText,
                 .meaning =
                     "how a value reaches the program: env sets `variable`, argument puts "
                     "`argument` where a command says {knob.NAME}, define sets the macro "
                     "`variable`, file-template replaces {knob.NAME} in `file` at each launch "
                     "(what is compiled in is a define)",
                 .default_text = "\"env\"",
                 .choices = {"env", "argument", "file-template", "define"}};
  return {std::move(shape),
          [](domain::Knob& knob, const Checked& checked, std::string_view, Problems&) {
            using enum domain::KnobKind;
            for (const auto kind : {kEnvironment, kArgument, kDefine, kFileTemplate})
              if (kind_name(kind) == checked.text) knob.kind = kind;
          }};
}

Key<domain::Knob> layer_key() {
  KeyShape shape{.name = "layer",
                 .type = KeyType::kText,
                 .meaning = "the part of the stack it belongs to",
                 .default_text = "\"application\""};
  for (const auto layer : domain::kAllLayers) shape.choices.emplace_back(domain::layer_name(layer));
  return {std::move(shape),
          [](domain::Knob& knob, const Checked& checked, std::string_view, Problems&) {
            knob.layer = domain::parse_layer(checked.text).value_or(knob.layer);
          }};
}

// The value as it stands in the pattern is literal text: any one shows whether the rest is right.
void check_activates(const domain::Knob& knob, const Value& at, std::string_view title,
                     Problems& problems) {
  std::string pattern = knob.activates;
  for (auto hole = pattern.find("{}"); hole != std::string::npos; hole = pattern.find("{}"))
    pattern.replace(hole, 2, "0");
  if (const auto compiled = base::Pattern::compile(pattern); !compiled)
    problems.add(at, fmt::format("{} activates", title), compiled.error().message);
}

void check_knob(const domain::Knob& knob, const Value& at, Problems& problems) {
  const std::string title = fmt::format("[[knob]] {}", base::printable(knob.name));
  const auto need = [&](bool is_given, std::string_view what) {
    if (!is_given)
      problems.add(at, title, fmt::format("kind \"{}\" needs {}", kind_name(knob.kind), what));
  };
  using enum domain::KnobKind;
  switch (knob.kind) {
    case kEnvironment:
      need(!knob.variable.empty(), "'variable', the name of the environment variable");
      break;
    case kDefine:
      need(!knob.variable.empty(), "'variable', the name of the macro");
      break;
    case kArgument:
      need(knob.argument.find("{}") != std::string::npos,
           "'argument', the text with {} in the place of the value");
      break;
    case kFileTemplate:
      need(!knob.file.empty(), "'file', the file that holds {knob.NAME}");
      check_inside(knob.file, at, title + " file", problems);
      break;
  }
  check_activates(knob, at, title, problems);
  const std::set<std::string> distinct(knob.values.begin(), knob.values.end());
  if (knob.values.empty()) problems.add(at, title, "'values' is empty: list what may be tried");
  if (distinct.size() < knob.values.size()) problems.add(at, title, "'values' names one twice");
}

}  // namespace

const Keys<Metric>& metric_keys() {
  static const Keys<Metric> kKeys = make_metric_keys();
  return kKeys;
}

const Keys<Metric>& guard_keys() {
  static const Keys<Metric> kKeys = [] {
    auto keys = make_metric_keys();
    keys.front().shape.is_required = true;
    keys.push_back(key("worse_by_max", KeyType::kFraction, &Metric::worse_by_max,
                       "how much worse is still acceptable", {.min = 0, .max = 1}));
    return keys;
  }();
  return kKeys;
}

const Keys<domain::ScoreRule>& score_keys() {
  using domain::ScoreRule;
  static const Keys<ScoreRule> kKeys = [] {
    Keys<ScoreRule> keys;
    keys.push_back(pattern_key("json", "JSON pointer to the score"));
    keys.push_back(
        pattern_key("regex", "regular expression (RE2 syntax) with one group around the score"));
    for (const auto& inner : metric_keys()) keys.push_back(of_metric(inner));
    for (auto& each : keys) {
      if (each.shape.name == "name") each.shape.default_text = "\"score\"";
      if (each.shape.name == "goal") each.shape.default_text = "\"max\"";
      if (each.shape.name == "reader") each.shape.is_required = false;  // json or regex will do
    }
    keys.push_back(key("floor", KeyType::kNumber, &ScoreRule::floor, "the worst score that passes",
                       {.min = kNoMin}));
    keys.push_back(key("drop_max", KeyType::kNumber, &ScoreRule::drop_max,
                       "how far the score may fall below the original baseline's", {.min = 0}));
    return keys;
  }();
  return kKeys;
}

const Keys<domain::OutputRule>& output_keys() {
  using domain::OutputRule;
  static const Keys<OutputRule> kKeys = {
      key("file", KeyType::kCommand, &OutputRule::file,
          "file the check writes (removed before it runs), or \"-\" for its standard output, "
          "compared with the "
          "baseline's",
          {.is_required = true}),
      key("rtol", KeyType::kNumber, &OutputRule::rtol,
          "relative tolerance of its numbers; with both tolerances 0 it is compared byte for byte",
          {.min = 0, .max = 1}),
      key("atol", KeyType::kNumber, &OutputRule::atol, "absolute tolerance of its numbers",
          {.min = 0}),
      key("exact_integers", KeyType::kFlag, &OutputRule::has_exact_integers,
          "numbers written without point and exponent (counts, indices, digests) must be equal, "
          "whatever the tolerances")};
  return kKeys;
}

const Keys<domain::Knob>& knob_keys() {
  using domain::Knob;
  static const Keys<Knob> kKeys = {
      key("name", KeyType::kCommand, &Knob::name, "name of the knob", {.is_required = true}),
      layer_key(),
      kind_key(),
      key("variable", KeyType::kText, &Knob::variable,
          "environment variable (env) or macro (define)"),
      key("argument", KeyType::kText, &Knob::argument,
          "text that replaces {knob.NAME} in a command, with {} for the value (argument)"),
      key("file", KeyType::kText, &Knob::file, "file that holds {knob.NAME} (file-template)"),
      key("default", KeyType::kWord, &Knob::default_value, "the value the baseline runs with",
          {.is_required = true}),
      key("values", KeyType::kWords, &Knob::values, "the values that may be tried",
          {.is_required = true}),
      key("activates", KeyType::kText, &Knob::activates,
          "regular expression (RE2 syntax) of what the program prints when a value took effect; {} "
          "stands for the "
          "value")};
  return kKeys;
}

Metric read_metric(const Keys<Metric>& keys, const Value& table, std::string_view title,
                   Problems& problems) {
  Metric metric;
  decode(keys, std::get<Table>(table.data), title, table.where, metric, problems);
  check_inside(metric.file, table, title, problems);
  return metric;
}

domain::ScoreRule read_score(const Value& table, std::string_view title, Problems& problems) {
  domain::ScoreRule rule;
  rule.metric = {.name = "score", .reader = "", .file = "", .pattern = ""};
  rule.metric.goal = domain::Goal::kMaximise;
  decode(score_keys(), std::get<Table>(table.data), title, table.where, rule, problems);
  check_inside(rule.metric.file, table, title, problems);
  const auto& keys = std::get<Table>(table.data);
  if (std::ranges::count_if(keys, [](const Entry& entry) {
        return entry.key == "json" || entry.key == "regex" || entry.key == "reader";
      }) > 1)
    problems.add(table, title, "names its source twice: keep one of json, regex and reader");
  if (rule.metric.reader.empty())
    problems.add(table, title, "say where the score is: json = \"/pointer\" or regex = \"...\"");
  if (!rule.floor && !rule.drop_max)
    problems.add(table, title, "needs a floor or a drop_max: without one every score would pass");
  return rule;
}

domain::OutputRule read_output(const Value& table, std::string_view title, Problems& problems) {
  domain::OutputRule rule;
  decode(output_keys(), std::get<Table>(table.data), title, table.where, rule, problems);
  check_inside(rule.file, table, title, problems);
  return rule;
}

std::vector<domain::Knob> read_knobs(const Value& tables, Problems& problems) {
  std::vector<domain::Knob> knobs;
  std::set<std::string> names;
  for (const auto& table : std::get<Array>(tables.data)) {
    domain::Knob knob;
    const std::size_t problems_before = problems.lines.size();
    decode(knob_keys(), std::get<Table>(table.data), "[[knob]]", table.where, knob, problems);
    if (problems.lines.size() == problems_before) check_knob(knob, table, problems);
    if (!names.insert(knob.name).second)
      problems.add(table, "[[knob]] name", fmt::format("two knobs are called '{}'", knob.name));
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

}  // namespace arbor::app
