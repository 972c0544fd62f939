// SPDX-License-Identifier: Apache-2.0
#include "app/init/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/init/project.h"
#include "base/files.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxFileBytes = 1U << 20;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_source(const fs::path& path) {
  static const std::set<std::string> kExtensions = {".c",  ".cc",  ".cpp", ".cxx", ".h",
                                                    ".hh", ".hpp", ".hxx", ".cu",  ".cuh",
                                                    ".rs", ".go",  ".py",  ".f90", ".java"};
  return kExtensions.contains(path.extension().string());
}

// Folders that usually hold the program itself; else the extensions of the sources in the root.
std::vector<std::string> source_globs(const fs::path& root) {
  std::vector<std::string> globs;
  for (const char* folder : {"src", "source", "lib", "include"})
    if (is_folder(root / folder)) globs.push_back(std::string(folder) + "/**");
  if (!globs.empty()) return globs;
  std::set<std::string> extensions;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored))
    if (is_source(entry.path())) extensions.insert("*" + entry.path().extension().string());
  globs.assign(extensions.begin(), extensions.end());
  if (globs.empty()) globs.emplace_back("**");
  return globs;
}

// Folders and scripts in the root whose names say that they judge.
std::vector<std::string> harness_globs(const fs::path& root, bool (*is_wanted)(std::string_view)) {
  std::vector<std::string> globs;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || base::printable(name) != name ||
        !is_wanted(entry.path().stem().string()))
      continue;
    if (entry.is_directory(ignored))
      globs.push_back(name + "/**");
    else if (entry.path().has_extension())
      globs.push_back(name);
  }
  std::ranges::sort(globs);
  return globs;
}

bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  std::ranges::replace_if(lower, [](char c) { return c == '-' || c == '.' || c == ' '; }, '_');
  for (const auto part : base::split(lower, '_'))
    if (std::ranges::find(words, part) != words.end()) return true;
  return false;
}

}  // namespace

bool names_a_check(std::string_view name) {
  return has_word(name, {"check", "checks", "test", "tests", "testsuite", "unittest", "unittests"});
}

bool names_a_bench(std::string_view name) {
  return has_word(name, {"bench", "benchmark", "benchmarks", "perf", "perftest", "loadgen"});
}

void fill(FoundCommand& found, std::string command, std::string reason) {
  if (!found.command.empty()) return;
  found.command = std::move(command);
  found.reason = std::move(reason);
}

std::string text_of(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return "";
  return base::read_file(file, kMaxFileBytes).value_or("");
}

base::Result<InitFindings> inspect_program(const fs::path& root) {
  if (!is_folder(root))
    return base::fail(
        base::ErrorKind::kNotFound,
        fmt::format("'{}' is no folder; name the root of the program", root.string()));
  InitFindings findings;
  const fs::path canonical = fs::weakly_canonical(root);
  findings.program_name = canonical.filename().string();
  inspect_cmake(canonical, findings);
  inspect_make(canonical, findings);
  inspect_scripts(canonical, findings);
  findings.sources = source_globs(canonical);
  findings.check_harness = harness_globs(canonical, names_a_check);
  findings.bench_harness = harness_globs(canonical, names_a_bench);
  return findings;
}

}  // namespace arbor::app
