// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.h"
#include "base/text.h"
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

constexpr int kMostLines = 1000;

// The document: the whole text where it is JSON, else its last line that is a JSON object, so that
// a program may print other things around its result and one result per line.
base::Result<base::Json> document_of(const domain::Metric& metric, std::string_view text) {
  auto whole = base::parse_json(text, metric_source(metric));
  if (whole) return whole;
  const auto lines = base::lines_of(text);
  int tried = 0;
  for (auto line = lines.rbegin(); line != lines.rend() && tried < kMostLines; ++line) {
    if (!base::trim(*line).starts_with('{')) continue;
    ++tried;
    auto document = base::parse_json(*line, metric_source(metric));
    if (document && document->is_object()) return document;
  }
  return unreadable(metric,
                    tried == 0 ? whole.error().message : "no line of it is a complete JSON object");
}

class JsonReader : public Reader {
 public:
  base::Result<double> read(const domain::Metric& metric,
                            const ports::LaunchOutcome& outcome) const override {
    ARBOR_TRY(const std::string_view text, metric_text(metric, outcome));
    ARBOR_TRY(const base::Json document, document_of(metric, text));
    try {
      const base::Json::json_pointer pointer(metric.pattern);
      if (!document.contains(pointer)) return unreadable(metric, "there is no such field");
      const auto& field = document.at(pointer);
      if (!field.is_number())
        return unreadable(metric,
                          fmt::format("the field holds a {}, not a number", field.type_name()));
      return field.get<double>();
    } catch (const base::Json::exception& error) {
      return unreadable(metric, fmt::format("not a JSON pointer: {}", error.what()));
    }
  }
};

ARBOR_REGISTER(Reader, "json", "The number at a JSON pointer, from the last JSON object",
               JsonReader);

}  // namespace
}  // namespace arbor::measure
