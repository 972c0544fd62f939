// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/init/project.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  return (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
}

// How the script is started: by itself if it may be, else by the interpreter of its extension.
std::string command_of(const fs::path& root, const fs::path& script) {
  const std::string relative = script.lexically_relative(root).generic_string();
  if (is_executable(script)) return base::shell_quoted("./" + relative);
  const char* interpreter = script.extension() == ".py"     ? "python3 "
                            : script.extension() == ".bash" ? "bash "
                                                            : "sh ";
  return interpreter + base::shell_quoted(relative);
}

std::vector<fs::path> scripts_in(const fs::path& folder) {
  std::vector<fs::path> scripts;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const auto extension = entry.path().extension();
    const std::string name = entry.path().filename().string();
    const bool can_be_written = base::printable(name) == name;  // TOML is UTF-8
    if (can_be_written && entry.is_regular_file(ignored) &&
        (extension == ".sh" || extension == ".bash" || extension == ".py"))
      scripts.push_back(entry.path());
  }
  std::ranges::sort(scripts);
  return scripts;
}

}  // namespace

void inspect_scripts(const fs::path& root, InitFindings& findings) {
  for (const char* folder : {".", "scripts", "tools"}) {
    for (const auto& script : scripts_in((root / folder).lexically_normal())) {
      const std::string stem = script.stem().string();
      const std::string reason =
          fmt::format("script {}", script.lexically_relative(root).generic_string());
      if (stem == "build" || stem == "compile" || stem == "make") {
        if (findings.build.command.empty()) findings.build_system = "a script";
        fill(findings.build, command_of(root, script), reason);
      } else if (names_a_bench(stem)) {
        fill(findings.bench, command_of(root, script), reason);
      } else if (names_a_check(stem)) {
        fill(findings.check, command_of(root, script), reason);
      }
    }
  }
}

}  // namespace arbor::app
