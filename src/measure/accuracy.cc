// SPDX-License-Identifier: Apache-2.0
#include "measure/accuracy.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/text.h"
#include "measure/output_comparison.h"
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

constexpr std::string_view kStandardOutput = "-";
constexpr std::size_t kLastWords = 400;

int signal_of(const ports::LaunchOutcome& outcome) {
  if (outcome.signal != 0) return outcome.signal;
  return outcome.exit_code > 128 ? outcome.exit_code - 128 : 0;
}

// What the check said last, to show with a failure; either stream may hold the reason.
std::string last_words(const ports::LaunchOutcome& outcome) {
  std::vector<std::string> said;
  for (const auto* stream : {&outcome.standard_output, &outcome.standard_error}) {
    const auto words = base::trim(*stream);
    if (words.empty()) continue;
    said.push_back(
        base::printable(words.substr(words.size() - std::min(words.size(), kLastWords))));
  }
  return said.empty() ? "" : "; it said: " + base::join(said, " | ");
}

base::Result<std::string> output_of(const std::string& file, const ports::LaunchOutcome& outcome) {
  if (file == kStandardOutput) {
    if (outcome.is_truncated)
      return base::fail(base::ErrorKind::kNotFound, "standard output was too long to be compared");
    return outcome.standard_output;
  }
  const auto found = outcome.collected.find(file);
  if (found == outcome.collected.end())
    return base::fail(
        base::ErrorKind::kNotFound,
        fmt::format("{} was not written by the check (what lay there before was removed)", file));
  return found->second;
}

std::unexpected<base::Error> unsound(std::string why) {
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("{}; correct [check] in arbor.toml or the program", why));
}

std::optional<std::string> unsound_tolerance(const domain::CheckSection& check) {
  for (const auto& rule : check.outputs)
    if (!(std::isfinite(rule.rtol) && std::isfinite(rule.atol) && rule.rtol >= 0 && rule.atol >= 0))
      return fmt::format("the tolerances of {} must be finite and not negative", rule.file);
  return std::nullopt;
}

std::optional<std::string> floor_objection(const domain::ScoreRule& rule, double score) {
  if (!rule.floor) return std::nullopt;
  const bool is_maximised = rule.metric.goal == domain::Goal::kMaximise;
  const bool is_good = is_maximised ? score >= *rule.floor : score <= *rule.floor;
  if (is_good) return std::nullopt;
  return fmt::format("{} is {}, {} is the {}", rule.metric.name, score, *rule.floor,
                     is_maximised ? "least allowed" : "most allowed");
}

CheckAnswer failed(std::string why) { return {false, false, std::move(why)}; }

std::optional<CheckAnswer> judge_exit(const CheckReference& reference,
                                      const ports::LaunchOutcome& outcome) {
  const int signal = signal_of(outcome);
  if (outcome.is_timeout)
    return CheckAnswer{false, true, "the check reached its time limit", "check-timeout"};
  if (outcome.is_out_of_disk)
    return CheckAnswer{false, true, "the check was stopped for nearly filling the disk"};
  if (outcome.is_out_of_memory)
    return CheckAnswer{false, true, "the check reached its memory limit"};
  if (outcome.exit_code == reference.exit_code) return std::nullopt;
  if (signal != 0)
    return CheckAnswer{
        false, true,
        fmt::format("the check was killed by signal {}{}", signal, last_words(outcome))};
  return failed(fmt::format("the check exited with {}, the baseline's with {}{}", outcome.exit_code,
                            reference.exit_code, last_words(outcome)));
}

}  // namespace

base::Result<CheckReference> check_reference(const domain::CheckSection& check,
                                             const ports::LaunchOutcome& baseline) {
  if (const auto why = unsound_tolerance(check)) return unsound(*why);
  if (baseline.is_timeout)
    return unsound(
        fmt::format("it reached its time limit of {}", base::format_duration(check.timeout_s)));
  if (baseline.is_out_of_disk) return unsound("it was stopped for nearly filling the disk");
  if (baseline.is_out_of_memory) return unsound("it reached its memory limit");
  if (signal_of(baseline) != 0)
    return unsound(
        fmt::format("it was killed by signal {}{}", signal_of(baseline), last_words(baseline)));
  const bool has_only_exit_code = !check.score && check.outputs.empty();
  if (has_only_exit_code && baseline.exit_code != 0)
    return unsound(fmt::format("it exited with {}{}", baseline.exit_code, last_words(baseline)));
  CheckReference reference;
  reference.exit_code = baseline.exit_code;
  if (check.score) {
    const auto score = read_score(check.score->metric, baseline);
    if (!score) return unsound(score.error().message);
    if (const auto objection = floor_objection(*check.score, score->value))
      return unsound(*objection);
    reference.score = score->value;
    reference.score_figures = score->matches;
  }
  for (const auto& rule : check.outputs) {
    auto golden = output_of(rule.file, baseline);
    if (!golden) return unsound(golden.error().message);
    if (base::trim(*golden).empty())
      return unsound(
          fmt::format("its output {} is empty, so nothing could be compared", rule.file));
    reference.golden[rule.file] = std::move(*golden);
  }
  return reference;
}

std::optional<std::string> score_objection(const domain::ScoreRule& rule, double baseline,
                                           double candidate) {
  if (!std::isfinite(candidate)) return fmt::format("{} is not finite", rule.metric.name);
  if (auto objection = floor_objection(rule, candidate)) return objection;
  if (rule.floor && !rule.drop_max) return std::nullopt;
  const bool is_maximised = rule.metric.goal == domain::Goal::kMaximise;
  const double drop = is_maximised ? baseline - candidate : candidate - baseline;
  const double allowed = rule.drop_max.value_or(0);
  if (drop <= allowed) return std::nullopt;
  return fmt::format(
      "{} went from the baseline's {} to {}, a loss of {:.3g} where {:.3g} is allowed",
      rule.metric.name, baseline, candidate, drop, allowed);
}

std::optional<std::int64_t> score_figures(const domain::CheckSection& check,
                                          const ports::LaunchOutcome& outcome) {
  if (!check.score) return std::nullopt;
  const auto score = read_score(check.score->metric, outcome);
  if (!score) return std::nullopt;
  return score->matches;
}

CheckAnswer judge_check(const domain::CheckSection& check, const CheckReference& reference,
                        const ports::LaunchOutcome& candidate) {
  if (auto answer = judge_exit(reference, candidate)) return *answer;
  if (check.score) {
    const auto score = read_score(check.score->metric, candidate);
    if (!score) return failed(score.error().message);
    if (!reference.score) return failed("the baseline's score is not known");
    if (reference.score_figures && score->matches > *reference.score_figures)
      return failed(fmt::format("it prints {} in {} places, the baseline in {}",
                                check.score->metric.name, score->matches,
                                *reference.score_figures));
    if (auto objection = score_objection(*check.score, *reference.score, score->value))
      return failed(std::move(*objection));
  }
  for (const auto& rule : check.outputs) {
    const auto golden = reference.golden.find(rule.file);
    if (golden == reference.golden.end())
      return failed(fmt::format("the baseline's {} is not known", rule.file));
    const auto seen = output_of(rule.file, candidate);
    if (!seen) return failed(seen.error().message);
    if (const auto difference = first_difference(golden->second, *seen, rule))
      return failed(fmt::format("{}: {}", rule.file, *difference));
  }
  return {true, false, ""};
}

std::vector<std::string> files_to_collect(const domain::CheckSection& check) {
  std::set<std::string> files;
  if (check.score && !check.score->metric.file.empty()) files.insert(check.score->metric.file);
  for (const auto& rule : check.outputs)
    if (rule.file != kStandardOutput) files.insert(rule.file);
  return {files.begin(), files.end()};
}

}  // namespace arbor::measure
