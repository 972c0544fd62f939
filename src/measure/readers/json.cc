// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

constexpr int kMostLines = 1000;

// The last part of a pointer that names a key: "p99" of "/runs/0/p99". Empty where none does.
std::string last_key(const std::string& pointer) {
  const auto parts = base::split(pointer, '/');
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->empty() || part->find_first_not_of("0123456789") == std::string_view::npos) continue;
    std::string key(*part);
    for (const auto& [written, meant] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}})
      for (auto at = key.find(written); at != std::string::npos; at = key.find(written, at + 1))
        key.replace(at, 2, meant);
    return key;
  }
  return "";
}

// Where the string ends that begins at the quote; the line's end where it does not.
std::size_t string_end(std::string_view line, std::size_t at) {
  for (++at; at < line.size() && line[at] != '"'; ++at)
    if (line[at] == '\\') ++at;
  return std::min(at, line.size());
}

// How often the quoted key stands before a colon, whatever quotes are open there: a line that a
// program left open in the middle of a string is continued by whoever prints next.
std::int64_t times_written(std::string_view text, const std::string& key) {
  const std::string quoted = '"' + key + '"';
  std::int64_t count = 0;
  for (std::size_t at = text.find(quoted); at != std::string_view::npos;
       at = text.find(quoted, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + quoted.size());
    count += next != std::string_view::npos && text[next] == ':' ? 1 : 0;
  }
  return count;
}

// How often the text names the key, in whatever document: twice in one object, in a line of its
// own, written with escapes.
std::int64_t times_named(std::string_view text, const std::string& key) {
  std::int64_t count = 0;
  for (const std::string_view line : base::lines_of(text))
    for (std::size_t at = line.find('"'); at < line.size(); at = line.find('"', at)) {
      const std::size_t end = string_end(line, at);
      const std::string_view word = line.substr(at, end + 1 - at);
      at = end + 1;
      const std::size_t colon = line.find_first_not_of(" \t\r", at);
      if (colon != std::string_view::npos && line[colon] != ':') continue;
      const auto name = base::parse_json(word, "key");
      count += name && name->is_string() && name->get<std::string>() == key ? 1 : 0;
    }
  return count;
}

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
  base::Result<Reading> read(const domain::Metric& metric,
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
      const std::string key = last_key(metric.pattern);
      return Reading{field.get<double>(),
                     std::max({std::int64_t{1}, times_named(text, key), times_written(text, key)})};
    } catch (const base::Json::exception& error) {
      return unreadable(metric,
                        fmt::format("not a JSON pointer: {}", base::json_problem(error.what())));
    }
  }
};

ARBOR_REGISTER(Reader, "json", "The number at a JSON pointer, from the last JSON object",
               JsonReader);

}  // namespace
}  // namespace arbor::measure
