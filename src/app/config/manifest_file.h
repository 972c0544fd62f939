// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "domain/manifest.h"
#include "domain/manifest_source.h"

// arbor.toml to values and back to its own description. Reading is strict: an unknown key, a wrong
// type or a value out of bounds is kUsage, and the message lists all that is wrong, a line each,
// with file and line.
namespace arbor::app {

inline constexpr std::string_view kManifestName = "arbor.toml";

// path is what messages call the text.
base::Result<domain::Manifest> parse_manifest(std::string_view toml, std::string_view path);

// What overrides what: flags, then ARBOR_<SECTION>_<KEY> variables, then arbor.toml, then the user
// file, then the defaults.
struct Overrides {
  std::vector<domain::Setting> flags;  // a later one wins
  std::map<std::string, std::string> environment;
  std::filesystem::path user_file;  // empty or absent: none
};

// All ARBOR_* variables of this process, and the user file: $XDG_CONFIG_HOME/arbor/config.toml, or
// ~/.config/arbor/config.toml.
Overrides overrides_of_environment(const std::map<std::string, std::string>& environment);

struct LoadedManifest {
  domain::Manifest manifest;
  domain::ManifestSource source;
};

// The program's arbor.toml. kNotFound, with the way out, where there is none.
base::Result<LoadedManifest> load_manifest(const std::filesystem::path& program_root,
                                           const Overrides& overrides = {});

// The manifest that was loaded from this source, read again.
base::Result<domain::Manifest> manifest_of(const domain::ManifestSource& source,
                                           const std::filesystem::path& program_root);

std::string manifest_schema_json();         // JSON Schema, draft 2020-12
std::string manifest_reference_markdown();  // docs/formats/manifest.md

}  // namespace arbor::app
