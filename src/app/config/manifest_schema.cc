// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/config/manifest_file.h"
#include "app/config/manifest_keys.h"
#include "base/json.h"

namespace arbor::app {
namespace {

using base::Json;

Json schema_of(const KeyShape& shape);

Json number_schema(const KeyShape& shape) {
  Json schema = {{"type", shape.type == KeyType::kInteger ? "integer" : "number"}};
  if (std::isfinite(shape.min))
    schema[shape.is_min_allowed ? "minimum" : "exclusiveMinimum"] = shape.min;
  if (std::isfinite(shape.max)) schema["maximum"] = shape.max;
  return schema;
}

Json number_or_text(const KeyShape& shape, const char* pattern) {
  return {{"anyOf", {number_schema(shape), {{"type", "string"}, {"pattern", pattern}}}}};
}

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json table_of(const std::vector<KeyShape>& keys) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const auto& key : keys) {
    properties[key.name] = schema_of(key);
    if (key.is_required) required.push_back(key.name);
  }
  Json schema = {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Json reader_schema() {
  const Json text = {{"type", "string"}, {"minLength", 1}};
  return {{"anyOf",
           {text,
            {{"type", "object"},
             {"minProperties", 1},
             {"maxProperties", 2},
             {"additionalProperties", text}}}}};
}

Json type_schema(const KeyShape& shape) {
  Json text = {{"type", "string"}};
  Json word = {{"type", {"string", "number", "boolean"}}};
  switch (shape.type) {
    case KeyType::kText:
      return text;
    case KeyType::kCommand:
      return {{"type", "string"}, {"pattern", "\\S"}};
    case KeyType::kWord:
      return word;
    case KeyType::kInteger:
    case KeyType::kNumber:
      return number_schema(shape);
    case KeyType::kDuration:
      return number_or_text(shape, "^\\s*([0-9.]+\\s*(ms|s|m|min|h|d)?\\s*)+$");
    case KeyType::kSize:
      return number_or_text(shape, "^\\s*[0-9.]+\\s*([KMGT]iB|[kMGT]?B)?\\s*$");
    case KeyType::kFraction:
      return number_or_text(shape, "^\\s*[0-9.]+\\s*%?\\s*$");
    case KeyType::kFactor:
      return number_or_text(shape, "^\\s*[0-9.]+\\s*x?\\s*$");
    case KeyType::kFlag:
      return {{"type", "boolean"}};
    case KeyType::kTexts:
      return list_of(text);
    case KeyType::kWords:
      return list_of(word);
    case KeyType::kReader:
      return reader_schema();
    case KeyType::kTable:
      return table_of(shape.inner);
    case KeyType::kTables:
      return list_of(table_of(shape.inner));
  }
  std::unreachable();
}

Json schema_of(const KeyShape& shape) {
  Json schema = type_schema(shape);
  schema["description"] = shape.meaning;
  if (!shape.choices.empty()) schema["enum"] = shape.choices;
  return schema;
}

}  // namespace

std::string manifest_schema_json() {
  Json properties = {{"schema", {{"const", kManifestSchema}}}};
  Json required = {"schema"};
  for (const auto& section : manifest_sections()) {
    Json table = table_of(section.keys);
    const bool is_needed = table.contains("required") && !section.is_repeated;
    if (is_needed) required.push_back(section.name);
    Json schema = section.is_repeated ? list_of(std::move(table)) : std::move(table);
    schema["description"] = section.meaning;
    properties[section.name] = std::move(schema);
  }
  const Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "arbor.toml"},
                       {"description", "What arbor needs to know about a program."},
                       {"type", "object"},
                       {"properties", std::move(properties)},
                       {"required", std::move(required)},
                       {"additionalProperties", false}};
  return base::dump_json(schema, 2) + "\n";
}

}  // namespace arbor::app
