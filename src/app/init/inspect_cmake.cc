// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/init/project.h"
#include "base/pattern.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxDepth = 5;

// One CMakeLists.txt without its comments.
struct Lists {
  fs::path folder;  // from the root; empty for the root's
  std::string text;
};

std::string without_comments(const std::string& text) {
  std::string clean;
  for (const auto line : base::lines_of(text)) {
    clean += line.substr(0, line.find('#'));
    clean += '\n';
  }
  return clean;
}

// The root's and those it reaches by add_subdirectory, so that vendored projects that are not part
// of the build do not count.
void collect(const fs::path& root, const fs::path& folder, int depth, std::vector<Lists>& all) {
  const std::string text = without_comments(text_of(root / folder / "CMakeLists.txt"));
  if (text.empty() || depth > kMaxDepth) return;
  all.push_back({folder, text});
  static const base::Pattern kSubdirectory(R"rx(add_subdirectory\s*\(\s*"?([^\s")$]+))rx",
                                           base::Pattern::Case::kIgnored);
  for (const auto name : kSubdirectory.all(text))
    collect(root, (folder / name).lexically_normal(), depth + 1, all);
}

std::vector<std::string> all_matches(const std::string& text, const base::Pattern& pattern) {
  const auto found = pattern.all(text);
  return {found.begin(), found.end()};
}

// A folder "build" that is part of the program is left alone.
std::string build_folder(const fs::path& root) {
  std::error_code ignored;
  const fs::path usual = root / "build";
  const bool is_free = !fs::exists(usual, ignored) || fs::is_empty(usual, ignored) ||
                       fs::exists(usual / "CMakeCache.txt", ignored);
  return is_free ? "build" : "build-arbor";
}

// Where executables of this list file end up, from the root.
fs::path output_folder(const std::vector<Lists>& all, const Lists& lists,
                       const std::string& build) {
  static const base::Pattern kOutput(
      R"rx(set\s*\(\s*CMAKE_RUNTIME_OUTPUT_DIRECTORY\s+"?\$\{(?:CMAKE|PROJECT)_BINARY_DIR\}([^\s")]*))rx",
      base::Pattern::Case::kIgnored);
  for (const auto& each : all)
    if (const auto match = kOutput.find(each.text))
      return fs::path(build + std::string(match->at(1))).lexically_normal();
  return fs::path(build) / lists.folder;
}

void find_executables(const std::vector<Lists>& all, const std::string& build,
                      InitFindings& findings) {
  static const base::Pattern kExecutable(R"rx(add_executable\s*\(\s*"?([^\s")$]+))rx",
                                         base::Pattern::Case::kIgnored);
  for (const auto& lists : all)
    for (const auto& name : all_matches(lists.text, kExecutable)) {
      const std::string path = (output_folder(all, lists, build) / name).generic_string();
      findings.executables.push_back(path);
      const std::string command = base::shell_quoted(path);
      if (names_a_bench(name))
        fill(findings.bench, command, fmt::format("executable {} of CMakeLists.txt", name));
    }
}

void find_targets(const std::vector<Lists>& all, const std::string& build, InitFindings& findings) {
  static const base::Pattern kTarget(R"rx(add_custom_target\s*\(\s*([^\s")$]+))rx",
                                     base::Pattern::Case::kIgnored);
  for (const auto& lists : all)
    for (const auto& name : all_matches(lists.text, kTarget)) {
      const std::string command =
          fmt::format("cmake --build {} --target {}", build, base::shell_quoted(name));
      const std::string reason = fmt::format("target {} of CMakeLists.txt", name);
      if (names_a_bench(name))
        fill(findings.bench, command, reason);
      else if (names_a_check(name))
        fill(findings.check, command, reason);
    }
}

bool has_tests(const std::vector<Lists>& all) {
  static const base::Pattern kTests(R"rx((enable_testing|add_test|include\s*\(\s*CTest)\b)rx",
                                    base::Pattern::Case::kIgnored);
  return std::ranges::any_of(all, [](const Lists& lists) { return kTests.is_in(lists.text); });
}

// Without add_test, a test program is run by itself.
void find_test_program(InitFindings& findings) {
  for (const auto& executable : findings.executables)
    if (names_a_check(fs::path(executable).filename().string()))
      fill(findings.check, base::shell_quoted(executable), "executable of CMakeLists.txt");
}

}  // namespace

void inspect_cmake(const fs::path& root, InitFindings& findings) {
  std::vector<Lists> all;
  collect(root, "", 0, all);
  if (all.empty()) return;
  findings.build_system = "CMake";
  const std::string build = build_folder(root);
  fill(findings.build,
       fmt::format("cmake -S . -B {0} -DCMAKE_BUILD_TYPE=Release && cmake --build {0} -j2", build),
       "CMakeLists.txt");
  if (has_tests(all))
    fill(findings.check, fmt::format("ctest --test-dir {} --output-on-failure", build),
         "tests of CMakeLists.txt");
  find_executables(all, build, findings);
  find_targets(all, build, findings);
  find_test_program(findings);
}

}  // namespace arbor::app
