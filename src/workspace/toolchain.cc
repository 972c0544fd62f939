// SPDX-License-Identifier: Apache-2.0
#include "workspace/toolchain.h"

#include <unistd.h>

#include "base/hash.h"
#include "base/subprocess.h"
#include "base/text.h"

namespace arbor::workspace {

std::optional<std::filesystem::path> find_in_path(std::string_view search_path,
                                                  std::string_view name) {
  for (const auto folder : base::split(search_path, ':')) {
    const auto path = std::filesystem::path(folder) / name;
    std::error_code failed;
    if (!folder.empty() && std::filesystem::is_regular_file(path, failed) &&
        ::access(path.c_str(), X_OK) == 0)
      return path;
  }
  return std::nullopt;
}

const std::string& Toolchain::version_of(const std::string& name) {
  const auto [known, is_new] = versions_.try_emplace(name);
  if (!is_new) return known->second;
  const auto path = find_in_path(search_path_, name);
  if (!path) return known->second = "absent";
  const auto answer = base::run_tool({.argv = {path->string(), "--version"},
                                      .cwd = {},
                                      .environment = {{"LC_ALL", "C"}},
                                      .standard_input = {},
                                      .timeout_s = 30});
  known->second = path->string() + "\n" + (answer ? answer->standard_output : "unknown");
  return known->second;
}

namespace {

const std::vector<std::string>& usual_tools() {
  static const std::vector<std::string> kNames = {
      "cc", "c++", "gcc", "g++", "clang", "clang++", "gfortran", "rustc", "go", "ld", "ld.lld"};
  return kNames;
}

}  // namespace

ToolchainFacts Toolchain::facts() {
  ToolchainFacts facts;
  facts.hash = fingerprint({});
  const std::lock_guard lock(mutex_);
  for (const auto& name : usual_tools()) {
    const auto lines = base::lines_of(version_of(name));
    if (lines.size() < 2) continue;  // absent
    facts.tools.push_back({name, std::string(lines[0]), base::printable(lines[1])});
  }
  return facts;
}

std::string Toolchain::fingerprint(const domain::Recipe& recipe) {
  std::vector<std::string> names = usual_tools();
  for (const auto& entry : recipe.entries)
    if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry)) {
      names.push_back(choice->c);
      names.push_back(choice->cxx);
    }
  const std::lock_guard lock(mutex_);
  base::Hasher hasher;
  for (const auto& name : names) hasher.add(name).add(version_of(name));
  return hasher.hex();
}

}  // namespace arbor::workspace
