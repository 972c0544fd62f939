// SPDX-License-Identifier: Apache-2.0
#include "app/config/manifest_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/config/layers.h"
#include "app/config/manifest_keys.h"
#include "app/config/value.h"
#include "base/files.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

void check_schema(const Table& root, std::string_view path, Problems& problems) {
  const Value* schema = find_value(root, "schema");
  if (schema == nullptr) {
    problems.lines.push_back(
        fmt::format("{}: needs 'schema = {}' as its first line: the version "
                    "of this format",
                    path, kManifestSchema));
    return;
  }
  const auto* number = std::get_if<std::int64_t>(&schema->data);
  if (number == nullptr || *number != kManifestSchema)
    problems.add(*schema, "schema",
                 fmt::format("this version of arbor reads schema {}, found {}", kManifestSchema,
                             describe_value(*schema)));
}

const UnsupportedKey* find_unsupported(std::string_view section, std::string_view key) {
  const auto& all = unsupported_keys();
  const auto found = std::ranges::find_if(
      all, [&](const UnsupportedKey& each) { return each.section == section && each.key == key; });
  return found == all.end() ? nullptr : &*found;
}

void note_unsupported(const Value& at, std::string_view what, const UnsupportedKey& key,
                      Problems& problems) {
  problems.add(at, what, fmt::format("not supported by this version of arbor; {}", key.instead));
}

void note_unknown_section(const Value& at, std::string_view name, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& section : manifest_sections()) known.push_back(section.name);
  const auto near = base::nearest(name, known);
  problems.lines.push_back(
      fmt::format("{}: there is no table [{}]{}", at.where, base::printable(name),
                  near ? fmt::format("; did you mean [{}]?", *near)
                       : fmt::format("; the tables are [{}]", base::join(known, "], ["))));
}

// Takes the reserved keys out, each with its own message, so that they are not called unknown too.
void drop_unsupported(const std::string& section, Table& table, Problems& problems) {
  std::erase_if(table, [&](const Entry& entry) {
    const auto* unsupported = find_unsupported(section, entry.key);
    if (unsupported != nullptr)
      note_unsupported(entry.value, fmt::format("[{}] {}", section, entry.key), *unsupported,
                       problems);
    return unsupported != nullptr;
  });
}

void read_repeated(const Section& section, Value value, domain::Manifest& manifest,
                   Problems& problems) {
  auto* array = std::get_if<Array>(&value.data);
  const bool is_tables = array != nullptr && std::ranges::all_of(*array, [](const Value& each) {
                           return std::holds_alternative<Table>(each.data);
                         });
  if (!is_tables)
    return problems.add(value, section.name,
                        fmt::format("write [[{}]], one table for each", section.name));
  for (auto& each : *array) drop_unsupported(section.name, std::get<Table>(each.data), problems);
  section.read(value, manifest, problems);
}

void read_section(const Section& section, Value value, domain::Manifest& manifest,
                  Problems& problems) {
  if (section.is_repeated) return read_repeated(section, std::move(value), manifest, problems);
  if (const auto* array = std::get_if<Array>(&value.data)) {
    if (array->size() != 1)
      return problems.add(
          value, "[[" + section.name + "]]",
          "several of these are not supported by this version of arbor; write one [" +
              section.name + "]");
    Value only = array->front();
    value = std::move(only);
  }
  auto* table = std::get_if<Table>(&value.data);
  if (table == nullptr)
    return problems.add(value, section.name, "expected a table, found " + describe_value(value));
  drop_unsupported(section.name, *table, problems);
  section.read(value, manifest, problems);
}

// An argument knob that no command mentions could never take effect.
void check_argument_knobs(const domain::Manifest& manifest, std::string_view path,
                          Problems& problems) {
  for (const auto& knob : manifest.knobs) {
    const std::string mention = "{knob." + knob.name + "}";
    const bool is_mentioned = manifest.bench.command.find(mention) != std::string::npos ||
                              manifest.check.command.find(mention) != std::string::npos;
    if (knob.kind == domain::KnobKind::kArgument && !is_mentioned)
      problems.lines.push_back(fmt::format(
          "{}: [[knob]] {}: put {} into the command of [bench], and of [check] where it matters",
          path, knob.name, mention));
  }
}

base::Result<domain::Manifest> decode_manifest(const Table& root, std::string_view path,
                                               Problems problems) {
  domain::Manifest manifest;
  check_schema(root, path, problems);
  for (const auto& [name, value] : root) {
    if (name == "schema" || find_section(name) != nullptr) continue;
    if (const auto* unsupported = find_unsupported(name, ""))
      note_unsupported(value, "[" + name + "]", *unsupported, problems);
    else
      note_unknown_section(value, name, problems);
  }
  for (const auto& section : manifest_sections()) {
    const Value* value = find_value(root, section.name);
    const bool is_needed = std::ranges::any_of(section.keys, &KeyShape::is_required);
    if (value != nullptr)
      read_section(section, *value, manifest, problems);
    else if (is_needed && !section.is_repeated)
      section.read({.data = Table{}, .where = std::string(path)}, manifest, problems);
  }
  if (problems.lines.empty()) check_argument_knobs(manifest, path, problems);
  if (problems.lines.empty()) return manifest;
  return base::fail(base::ErrorKind::kUsage, base::join(problems.lines, "\n"));
}

// What messages call the two files.
struct Names {
  std::string manifest, user_file;
};

base::Result<domain::Manifest> read_source(const domain::ManifestSource& source, const Names& names,
                                           const fs::path& program_root, Problems problems) {
  ARBOR_TRY(Table root, read_toml(source.toml, names.manifest));
  if (!source.user_toml.empty()) {
    ARBOR_TRY(const Table user, read_toml(source.user_toml, names.user_file));
    merge_user_file(user, names.user_file, root, problems);
  }
  merge_settings(source.settings, root, problems);
  ARBOR_TRY(domain::Manifest manifest, decode_manifest(root, names.manifest, std::move(problems)));
  if (manifest.program.name.empty())
    manifest.program.name = fs::weakly_canonical(program_root).filename().string();
  return manifest;
}

}  // namespace

base::Result<domain::Manifest> parse_manifest(std::string_view toml, std::string_view path) {
  ARBOR_TRY(const Table root, read_toml(toml, path));
  return decode_manifest(root, path, {});
}

Overrides overrides_of_environment(const std::map<std::string, std::string>& environment) {
  Overrides overrides;
  for (const auto& [name, value] : environment)
    if (name.starts_with("ARBOR_")) overrides.environment.emplace(name, value);
  const auto value_of = [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  // The convention says that a relative XDG_CONFIG_HOME is to be ignored.
  if (const fs::path config = value_of("XDG_CONFIG_HOME"); config.is_absolute())
    overrides.user_file = config / "arbor" / "config.toml";
  else if (const fs::path home = value_of("HOME"); !home.empty())
    overrides.user_file = home / ".config" / "arbor" / "config.toml";
  return overrides;
}

base::Result<LoadedManifest> load_manifest(const fs::path& program_root,
                                           const Overrides& overrides) {
  LoadedManifest loaded;
  auto text = base::read_file(program_root / kManifestName);
  if (!text && text.error().kind == base::ErrorKind::kNotFound)
    return base::fail(base::ErrorKind::kNotFound,
                      fmt::format("there is no {} in '{}'; run `arbor init` there to write one",
                                  kManifestName, program_root.string()));
  if (!text) return std::unexpected(text.error());
  loaded.source.toml = std::move(*text);
  if (!overrides.user_file.empty()) {
    auto user_text = base::read_file(overrides.user_file);
    if (!user_text && user_text.error().kind != base::ErrorKind::kNotFound)
      return std::unexpected(user_text.error());
    loaded.source.user_toml = user_text.value_or("");
  }
  Problems problems;
  loaded.source.settings = settings_of_environment(overrides.environment, problems);
  loaded.source.settings.insert(loaded.source.settings.end(), overrides.flags.begin(),
                                overrides.flags.end());
  const Names names{(program_root / kManifestName).string(), overrides.user_file.string()};
  ARBOR_TRY(loaded.manifest, read_source(loaded.source, names, program_root, std::move(problems)));
  return loaded;
}

base::Result<domain::Manifest> manifest_of(const domain::ManifestSource& source,
                                           const fs::path& program_root) {
  return read_source(source, {"arbor.toml as the campaign began", "user file as it began"},
                     program_root, {});
}

}  // namespace arbor::app
