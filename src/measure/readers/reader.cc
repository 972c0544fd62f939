// SPDX-License-Identifier: Apache-2.0
#include "measure/readers/reader.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace arbor::measure {
namespace {
base::Result<Reading> read_finite(const domain::Metric& metric,
                                  const ports::LaunchOutcome& outcome) {
  const auto* entry = base::Registry<Reader>::instance().find(metric.reader);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const auto* known : base::Registry<Reader>::instance().sorted())
      names.push_back(known->name);
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("metric {}: there is no reader \"{}\"; there are {}", metric.name,
                                  metric.reader, base::join(names, ", ")));
  }
  ARBOR_TRY(const Reading reading, entry->create()->read(metric, outcome));
  if (!std::isfinite(reading.value))
    return unreadable(metric, fmt::format("{} is not finite", reading.value));
  return reading;
}
}  // namespace

base::Result<Reading> read_measurement(const domain::Metric& metric,
                                       const ports::LaunchOutcome& outcome) {
  ARBOR_TRY(const Reading reading, read_finite(metric, outcome));
  if (reading.value < 0) return unreadable(metric, fmt::format("{} is negative", reading.value));
  return reading;
}

base::Result<Reading> read_score(const domain::Metric& metric,
                                 const ports::LaunchOutcome& outcome) {
  return read_finite(metric, outcome);
}

std::string printed_name(const domain::Metric& metric) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (metric.reader != "regex" && metric.reader != "json") return "";
  std::string longest, word;
  bool is_escaped = false;
  int depth = 0;  // of groups and classes, which may stand for anything
  for (const char c : metric.pattern + " ") {
    if (metric.reader == "json" && c == '/') longest.clear();
    if (!is_escaped && (c == '(' || c == '[')) ++depth;
    if (!is_escaped && (c == ')' || c == ']')) --depth;
    if (is_letter(c) && !is_escaped && depth <= 0) {
      word += c;
    } else {
      // What is optional or repeated need not be there as it is written.
      if (c == '?' || c == '*' || c == '{') word = word.substr(0, word.size() - !word.empty());
      if (word.size() > longest.size()) longest = word;
      word.clear();
    }
    is_escaped = c == '\\' && !is_escaped;
  }
  return longest.size() >= 3 && !metric.pattern.contains('|') ? longest : "";
}

std::string metric_source(const domain::Metric& metric) {
  return metric.file.empty() ? "standard output" : metric.file;
}

base::Result<std::string_view> metric_text(const domain::Metric& metric,
                                           const ports::LaunchOutcome& outcome) {
  if (metric.file.empty()) {
    if (base::trim(outcome.standard_output).empty())
      return unreadable(metric, "nothing was printed there");
    return std::string_view(outcome.standard_output);
  }
  const auto found = outcome.collected.find(metric.file);
  if (found == outcome.collected.end()) return unreadable(metric, "the run left no such file");
  return std::string_view(found->second);
}

std::unexpected<base::Error> unreadable(const domain::Metric& metric, std::string_view why) {
  const std::string field = metric.pattern.empty() ? "" : " at " + metric.pattern;
  return base::fail(base::ErrorKind::kNotFound,
                    fmt::format("metric {} ({} in {}{}): {}", metric.name, metric.reader,
                                metric_source(metric), field, why));
}

base::Result<Reading> measured_time(const domain::Metric& metric, std::int64_t time_ns) {
  if (time_ns <= 0)
    return base::fail(base::ErrorKind::kNotFound,
                      fmt::format("metric {}: the {} time of the run was {} ns, which cannot be "
                                  "compared; let the run do more work",
                                  metric.name, metric.reader, time_ns));
  return Reading{static_cast<double>(time_ns) * 1e-9};
}

}  // namespace arbor::measure
