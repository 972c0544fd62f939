// SPDX-License-Identifier: Apache-2.0
#include "workspace/recipe_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/json.h"

namespace arbor::workspace {
namespace {
using base::ErrorKind;
using base::Json;
using base::Result;

constexpr int kSchema = 1;

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

bool is_utf8(const std::string& text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

// Any bytes as text: each byte becomes the code point of its number. And back.
std::string widened(std::string_view bytes) {
  std::string text;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x80) {
      text += each;
    } else {
      text += static_cast<char>(0xC0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

Result<std::string> narrowed(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      bytes += text[i];
    } else if ((lead == 0xC2 || lead == 0xC3) && i + 1 < text.size()) {
      bytes += static_cast<char>(((lead & 0x03) << 6) | (text[++i] & 0x3F));
    } else {
      return base::fail(ErrorKind::kCorrupt, "'diff_bytes' holds a character above U+00FF");
    }
  }
  return bytes;
}

Json patch_json(const domain::SourcePatch& patch) {
  Json json = {{"kind", "patch"}, {"commit", patch.commit}, {"files", patch.files}};
  if (is_utf8(patch.diff))
    json["diff"] = patch.diff;
  else
    json["diff_bytes"] = widened(patch.diff);
  return json;
}

Json entry_json(const domain::ChangeEntry& entry) {
  return std::visit(
      Overloaded{
          [](const domain::SourcePatch& patch) { return patch_json(patch); },
          [](const domain::CompilerFlags& flags) {
            return Json{{"kind", "flags"},
                        {"add", flags.add},
                        {"remove", flags.remove},
                        {"files", flags.files},
                        {"reaches_link", flags.reaches_link}};
          },
          [](const domain::CompilerChoice& choice) {
            return Json{{"kind", "compiler"}, {"c", choice.c}, {"cxx", choice.cxx}};
          },
          [](const domain::ProfileGuided& guided) {
            return Json{{"kind", "profile-guided"}, {"profile_object", guided.profile_object}};
          },
          [](const domain::EnvironmentVariable& variable) {
            return Json{
                {"kind", "environment"}, {"name", variable.name}, {"value", variable.value}};
          },
          [](const domain::Preload& preload) {
            return Json{{"kind", "preload"}, {"library", preload.library}};
          },
          [](const domain::KnobValue& value) {
            Json json{{"kind", "knob"}, {"knob", value.knob}, {"value", value.value}};
            if (!value.macro.empty()) json["macro"] = value.macro;
            return json;
          },
      },
      entry);
}

Json entries_json(const std::vector<domain::ChangeEntry>& entries) {
  Json list = Json::array();
  for (const auto& entry : entries) list.push_back(entry_json(entry));
  return list;
}

// Takes the fields of one object, remembering the first thing that is wrong.
class Fields {
 public:
  Fields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json_.is_object()) fail("is no object");
  }

  std::string text(const char* name) {
    const Json* field = take(name);
    if (field == nullptr) return {};
    if (!field->is_string()) return fail(fmt::format("'{}' is no text", name)), std::string();
    return field->get<std::string>();
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> all;
    const Json* field = take(name);
    if (field == nullptr) return all;
    if (!field->is_array()) return fail(fmt::format("'{}' is no list", name)), all;
    for (const Json& each : *field) {
      if (!each.is_string()) return fail(fmt::format("'{}' holds what is no text", name)), all;
      all.push_back(each.get<std::string>());
    }
    return all;
  }
  bool flag(const char* name) {
    const Json* field = take(name);
    if (field == nullptr) return false;
    if (!field->is_boolean()) return fail(fmt::format("'{}' is no boolean", name)), false;
    return field->get<bool>();
  }
  const Json* list(const char* name) {
    const Json* field = take(name);
    if (field == nullptr || field->is_array()) return field;
    fail(fmt::format("'{}' is no list", name));
    return nullptr;
  }
  void schema() {
    const Json* field = take("schema");
    if (field != nullptr && *field != kSchema)
      fail(fmt::format("has schema {}, this version reads {}",
                       field->dump(-1, ' ', true, Json::error_handler_t::replace), kSchema));
  }
  bool has(const char* name) const { return json_.is_object() && json_.contains(name); }

  // After all fields were taken: whatever is left over is unknown.
  Result<void> finish() {
    if (json_.is_object())
      for (const auto& [name, value] : json_.items())
        if (!taken_.contains(name)) fail(fmt::format("has an unknown field '{}'", name));
    if (problem_.empty()) return {};
    return base::fail(ErrorKind::kCorrupt, problem_);
  }
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = where_ + " " + problem;
  }

 private:
  const Json* take(const char* name) {
    taken_.insert(name);
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    if (found != json_.end()) return &*found;
    fail(fmt::format("has no field '{}'", name));
    return nullptr;
  }

  const Json& json_;
  std::string where_;
  std::string problem_;
  std::set<std::string> taken_;
};

Result<domain::SourcePatch> read_patch(Fields& fields) {
  domain::SourcePatch patch;
  if (fields.has("diff_bytes")) {
    ARBOR_TRY(patch.diff, narrowed(fields.text("diff_bytes")));
  } else {
    patch.diff = fields.text("diff");
  }
  patch.commit = fields.text("commit");
  patch.files = fields.texts("files");
  return patch;
}

Result<domain::ChangeEntry> read_entry(Fields& fields) {
  const std::string kind = fields.text("kind");
  if (kind == "patch") return read_patch(fields);
  if (kind == "flags") {
    domain::CompilerFlags flags;
    flags.add = fields.texts("add");
    flags.remove = fields.texts("remove");
    flags.files = fields.texts("files");
    flags.reaches_link = fields.flag("reaches_link");
    return flags;
  }
  if (kind == "compiler") return domain::CompilerChoice{fields.text("c"), fields.text("cxx")};
  if (kind == "profile-guided") return domain::ProfileGuided{fields.text("profile_object")};
  if (kind == "environment")
    return domain::EnvironmentVariable{fields.text("name"), fields.text("value")};
  if (kind == "preload") return domain::Preload{fields.text("library")};
  if (kind == "knob")
    return domain::KnobValue{fields.text("knob"), fields.text("value"),
                             fields.has("macro") ? fields.text("macro") : ""};
  fields.fail(fmt::format("has the unknown kind '{}'", kind));
  return domain::Preload{};
}

Result<std::vector<domain::ChangeEntry>> read_entries(const Json& list, std::string_view what) {
  std::vector<domain::ChangeEntry> entries;
  for (const Json& each : list) {
    Fields fields(each, fmt::format("{}: entry {}", what, entries.size() + 1));
    ARBOR_TRY(auto entry, read_entry(fields));
    ARBOR_TRY_VOID(fields.finish());
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

std::string change_to_json(const domain::Change& change) {
  return base::dump_json(Json{
      {"schema", kSchema}, {"summary", change.summary}, {"entries", entries_json(change.entries)}});
}

std::string recipe_to_json(const domain::Recipe& recipe, int indent) {
  return base::dump_json(Json{{"schema", kSchema}, {"entries", entries_json(recipe.entries)}},
                         indent);
}

Result<domain::Change> change_from_json(std::string_view text, std::string_view what) {
  ARBOR_TRY(const Json json, base::parse_json(text, what));
  Fields fields(json, std::string(what));
  fields.schema();
  domain::Change change;
  change.summary = fields.text("summary");
  const Json* list = fields.list("entries");
  ARBOR_TRY_VOID(fields.finish());
  ARBOR_TRY(change.entries, read_entries(*list, what));
  return change;
}

Result<domain::Recipe> recipe_from_json(std::string_view text, std::string_view what) {
  ARBOR_TRY(const Json json, base::parse_json(text, what));
  Fields fields(json, std::string(what));
  fields.schema();
  const Json* list = fields.list("entries");
  ARBOR_TRY_VOID(fields.finish());
  ARBOR_TRY(auto entries, read_entries(*list, what));
  return domain::Recipe{std::move(entries)};
}

}  // namespace arbor::workspace
