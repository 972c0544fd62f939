// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/key.h"
#include "domain/manifest.h"

namespace arbor::app {

inline constexpr int kManifestSchema = 1;

// A table of arbor.toml.
struct Section {
  std::string name;
  std::string meaning;
  bool is_repeated = false;        // [[knob]]
  bool is_in_user_file = false;    // may also stand in the user's own config.toml
  bool is_in_environment = false;  // ARBOR_<SECTION>_<KEY> overrides its keys
  std::vector<KeyShape> keys;
  // value is a table (a list of tables where repeated); where names the file for what is missing.
  std::function<void(const Value& value, domain::Manifest&, Problems&)> read;
};

// The one table of keys, in the order of the file.
const std::vector<Section>& manifest_sections();
const Section* find_section(std::string_view name);
const KeyShape* find_key(const Section& section, std::string_view name);

// What the format reserves for later work: refused with a message of its own instead of ignored.
struct UnsupportedKey {
  std::string_view section;
  std::string_view key;  // empty = the whole table
  std::string_view instead;
};
const std::vector<UnsupportedKey>& unsupported_keys();

}  // namespace arbor::app
