// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace arbor::domain {

// One key of the manifest set from outside of it.
struct Setting {
  std::string key;     // "budget.wall"
  std::string text;    // "15m"; lists are separated by commas
  std::string origin;  // "--budget", "ARBOR_BUDGET_WALL": for messages
  bool operator==(const Setting&) const = default;
};

// All that a manifest was read from. Reading it again gives the same manifest, whatever has become
// of the files, the environment and the command line since.
struct ManifestSource {
  std::string toml;               // arbor.toml, byte for byte
  std::string user_toml;          // the user's own file; empty: none
  std::vector<Setting> settings;  // variables, then flags: a later one wins
  bool operator==(const ManifestSource&) const = default;
};

}  // namespace arbor::domain
