// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/change.h"

namespace arbor::workspace {

std::optional<std::filesystem::path> find_in_path(std::string_view search_path,
                                                  std::string_view name);

struct Tool {
  std::string name;  // "g++"
  std::string path;
  std::string version;  // the first line of what it says of itself
  bool operator==(const Tool&) const = default;
};

// The compilers and linkers of this machine, for the record.
struct ToolchainFacts {
  std::string hash;  // changes with any path or version; empty: not known
  std::vector<Tool> tools;
  bool operator==(const ToolchainFacts&) const = default;
};

// Which compilers a build would use, as a text that changes with any of their versions.
// Thread-safe; asks each compiler once.
class Toolchain {
 public:
  explicit Toolchain(std::string search_path) : search_path_(std::move(search_path)) {}
  std::string fingerprint(const domain::Recipe& recipe);
  ToolchainFacts facts();  // of builds whose recipe chooses no other compiler

 private:
  const std::string& version_of(const std::string& name);

  std::string search_path_;
  std::mutex mutex_;
  std::map<std::string, std::string> versions_;
};

}  // namespace arbor::workspace
