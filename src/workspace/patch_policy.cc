// SPDX-License-Identifier: Apache-2.0
#include "workspace/patch_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.h"
#include "workspace/glob.h"
#include "workspace/patch_scan.h"

namespace arbor::workspace {
namespace {
using base::ErrorKind;
using base::Result;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string> rooted(const std::vector<std::string>& globs, const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& glob : globs)
    if (const std::string each = rooted_glob(folder, glob); !each.empty()) all.push_back(each);
  return all;
}

// Files that steer git, continuous integration or Arbor itself, in whatever folder and case.
bool is_steering(std::string_view path) {
  static const std::vector<std::string> kNames = {
      "arbor.toml",          ".arbor",      ".ci",        ".circleci", ".travis.yml", "jenkinsfile",
      "azure-pipelines.yml", ".woodpecker", ".buildkite", ".drone.yml"};
  for (const auto part : base::split(path, '/')) {
    const std::string name = lower(part);
    if (name.starts_with(".git") || std::find(kNames.begin(), kNames.end(), name) != kNames.end())
      return true;
  }
  return false;
}

// A script finds the modules beside it before all others, those of its language's own library too.
// At the top of a program they are the program's own, as a rule.
std::vector<std::string> modules_beside(const std::vector<std::string>& globs) {
  std::vector<std::string> beside;
  for (const auto& glob : globs) {
    const auto slash = glob.rfind('/');
    if (slash == std::string::npos || !glob.ends_with(".py")) continue;
    const std::string folder = glob.substr(0, slash);
    if (folder.contains('*')) continue;  // names that are reserved wherever they stand
    for (const char* module : {"/*.py", "/*.so", "/*/__init__.py"})
      beside.push_back(folder + module);
  }
  return beside;
}

bool is_plain(std::string_view mode) {
  return mode == "100644" || mode == "100755" || mode == kAbsentMode;
}

// What a tool of this name reads without being told, beside what its command names.
std::vector<std::string> files_that_steer(std::string_view tool) {
  if (tool == "make" || tool == "gmake")
    return {"Makefile", "makefile", "GNUmakefile", "**/*.mk", "**/*.mak"};
  if (tool == "ctest" || tool == "cmake")
    return {"CMakeLists.txt", "**/CMakeLists.txt", "**/*.cmake", "CMakePresets.json",
            "CMakeUserPresets.json"};
  if (tool.starts_with("python") || tool == "pytest" || tool.starts_with("py.test"))
    return {"**/conftest.py", "**/sitecustomize.py", "**/usercustomize.py",
            "**/pytest.ini",  "**/.pytest.ini",      "**/tox.ini",
            "**/setup.cfg",   "**/pyvenv.cfg",       "**/pyproject.toml",
            "**/*.pth"};
  return {};
}

}  // namespace

std::vector<std::string> judging_files(std::string_view command) {
  std::vector<std::string> globs;
  const auto words = base::shell_words(command);
  bool is_python = false;
  std::string previous;
  const bool changes_folder = std::ranges::find(words, "cd") != words.end();
  for (const auto& word : words) {
    const std::string name = word.substr(word.rfind('/') + 1);
    const auto steering = files_that_steer(name);
    globs.insert(globs.end(), steering.begin(), steering.end());
    if (previous == "-m" && is_python) {
      globs.push_back("**/" + word + ".py");
      globs.push_back("**/" + word + "/**");
    }
    is_python = is_python || name.starts_with("python");
    previous = word;
    // A pattern names inputs by the dozen, the program's own sources perhaps; a judge is named.
    if (word.starts_with('-') || name.find_first_of("*?[]{}$\\") != std::string::npos) continue;
    const std::string path = word.starts_with("./") ? word.substr(2) : word;
    // Where the folder is not known, every file of that name is protected.
    const bool is_elsewhere = changes_folder || path.contains('$');
    globs.push_back(is_elsewhere && name.contains('.') ? "**/" + name : path);
    if (is_elsewhere) globs.push_back(name);
  }
  return globs;
}

std::vector<std::string> judging_files(const domain::Manifest& manifest, std::string_view command,
                                       bool is_its_source) {
  auto files = judging_files(command);
  if (!is_its_source) return files;
  const auto benched = judging_files(manifest.bench.command);
  std::erase_if(files, [&](const std::string& file) {
    return std::ranges::find(benched, file) != benched.end();
  });
  return files;
}

PatchJudge::PatchJudge(const Repository::PatchPolicy& policy, const std::string& program_folder)
    : allow_(rooted(policy.edit.allow, program_folder)),
      deny_(rooted(policy.edit.deny, program_folder)),
      protected_(rooted(policy.protected_globs, program_folder)) {
  // Names that differ in case only may be one file where the program is built elsewhere.
  for (auto& glob : protected_) glob = lower(glob);
  beside_ = modules_beside(protected_);
}

std::string PatchJudge::problem_of(const TreeChange& change) const {
  if (const auto problem = path_problem(change.path); !problem.empty()) return problem;
  for (const auto& mode : {change.old_mode, change.new_mode}) {
    if (mode == kSymlinkMode) return "is a symbolic link";
    if (mode == kSubmoduleMode) return "is a submodule";
    if (!is_plain(mode)) return fmt::format("has mode {}", mode);
  }
  if (is_steering(change.path)) return "steers git, CI or Arbor and is never edited";
  if (any_glob_matches(protected_, lower(change.path)))
    return "belongs to the judge: [check] or [bench] names it, as harness, output or in a command";
  if (change.old_mode == kAbsentMode && any_glob_matches(beside_, lower(change.path)))
    return "would be a new module beside a script of the judge's, which finds it before all "
           "others; "
           "put it into another folder";
  if (any_glob_matches(deny_, change.path)) return "is denied by [edit] deny";
  if (!any_glob_matches(allow_, change.path)) return "is not in [edit] allow";
  return {};
}

Result<void> PatchJudge::judge(const std::vector<TreeChange>& changes,
                               const std::vector<std::string>& existing) const {
  const auto refused = [](const std::string& path, const std::string& problem) {
    return base::fail(ErrorKind::kUsage,
                      fmt::format("patch refused: '{}' {}", base::printable(path), problem));
  };
  if (changes.empty()) return base::fail(ErrorKind::kUsage, "patch refused: it changes nothing");
  if (changes.size() > kMaxPatchFiles)
    return base::fail(ErrorKind::kUsage,
                      fmt::format("patch refused: it touches {} files, more than {}",
                                  changes.size(), kMaxPatchFiles));
  std::map<std::string, std::string> folded;
  for (const auto& path : existing) folded[lower(path)] = path;
  for (const auto& change : changes) {
    if (const auto problem = problem_of(change); !problem.empty())
      return refused(change.path, problem);
    const auto [same, is_new] = folded.emplace(lower(change.path), change.path);
    if (change.new_mode != kAbsentMode && same->second != change.path)
      return refused(change.path, fmt::format("differs only in case from '{}'", same->second));
  }
  return {};
}

}  // namespace arbor::workspace
