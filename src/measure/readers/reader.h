// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/registry.h"
#include "domain/manifest.h"
#include "ports/sandbox/sandbox.h"

// How a number is read from a launch, one way a file:
//   ARBOR_REGISTER(Reader, "json", "A number at a JSON pointer", JsonReader);
// Errors name the metric, the file and the field; a reader never guesses.
namespace arbor::measure {

// What was read, and in how many places of the text it could have been read. The last place counts;
// a candidate that prints a figure of its own behind the true one has one place more.
struct Reading {
  double value = 0;
  std::int64_t matches = 1;
};

class Reader {
 public:
  virtual ~Reader() = default;
  virtual base::Result<Reading> read(const domain::Metric& metric,
                                     const ports::LaunchOutcome& outcome) const = 0;
};

// By the metric's reader. A measurement is finite and not negative; a score may be negative.
base::Result<Reading> read_measurement(const domain::Metric& metric,
                                       const ports::LaunchOutcome& outcome);
base::Result<Reading> read_score(const domain::Metric& metric, const ports::LaunchOutcome& outcome);

// The longest word that whoever prints the metric has to write: the last key of a JSON pointer, a
// literal of a regular expression. Empty where there is none of three letters, or nothing is
// printed.
std::string printed_name(const domain::Metric& metric);

// For readers: the text a metric is read from, and what to call it.
base::Result<std::string_view> metric_text(const domain::Metric& metric,
                                           const ports::LaunchOutcome& outcome);
std::string metric_source(const domain::Metric& metric);  // "standard output", "out/result.json"
std::unexpected<base::Error> unreadable(const domain::Metric& metric, std::string_view why);
base::Result<Reading> measured_time(const domain::Metric& metric, std::int64_t time_ns);

}  // namespace arbor::measure
