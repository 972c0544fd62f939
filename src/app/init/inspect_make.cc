// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/init/project.h"
#include "base/pattern.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

struct Target {
  std::string name;
  std::string prerequisites;
  std::string recipe;
};

struct Makefile {
  std::string file_name;
  std::vector<Target> targets;  // in the order of the file; patterns and variables left out
  std::set<std::string> phony;
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const auto word : base::split(text, ' '))
    if (!base::trim(word).empty()) words.emplace_back(base::trim(word));
  return words;
}

// "a b: c d" with nothing that makes it an assignment.
bool split_rule(const std::string& line, std::string& names, std::string& prerequisites) {
  if (line.empty() || line[0] == '\t' || line[0] == '#') return false;
  const auto colon = line.find(':');
  if (colon == std::string::npos || line.find('=') < colon) return false;
  const std::string rest = line.substr(colon + 1);
  if (rest.starts_with('=') || rest.starts_with(":=")) return false;
  names = line.substr(0, colon);
  prerequisites = rest.substr(0, std::min(rest.find('#'), rest.find(';')));
  return true;
}

std::string joined_lines(std::string_view text) {
  std::string joined;
  for (auto at = text.find("\\\n"); at != std::string_view::npos; at = text.find("\\\n")) {
    joined += std::string(text.substr(0, at)) + " ";
    text.remove_prefix(std::min(text.find_first_not_of(" \t", at + 2), text.size()));
  }
  return joined.append(text);
}

void read_rules(const std::string& text, Makefile& makefile) {
  std::size_t first_of_rule = makefile.targets.size();
  for (const auto view : base::lines_of(text)) {
    const std::string line(view);
    if (line.starts_with('\t')) {
      for (std::size_t i = first_of_rule; i < makefile.targets.size(); ++i)
        makefile.targets[i].recipe += line + "\n";
      continue;
    }
    std::string names;
    std::string prerequisites;
    if (!split_rule(line, names, prerequisites)) continue;
    first_of_rule = makefile.targets.size();
    for (const auto& name : words_of(names)) {
      if (name == ".PHONY")
        for (const auto& phony : words_of(prerequisites)) makefile.phony.insert(phony);
      else if (name.find_first_of("%$.") == std::string::npos)
        makefile.targets.push_back({name, prerequisites, ""});
    }
  }
}

Makefile read_makefile(const fs::path& root) {
  Makefile makefile;
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"}) {
    const std::string text = joined_lines(text_of(root / name));
    if (text.empty()) continue;
    makefile.file_name = name;
    read_rules(text, makefile);
    break;
  }
  return makefile;
}

const Target* find_target(const Makefile& makefile, std::string_view name) {
  const auto found = std::ranges::find(makefile.targets, name, &Target::name);
  return found == makefile.targets.end() ? nullptr : &*found;
}

// Whether making the target leaves a program of its name instead of running something.
bool makes_a_program(const Makefile& makefile, const Target& target) {
  if (makefile.phony.contains(target.name)) return false;
  static const base::Pattern kLinks(R"((-o\s*(\$@|\$\(@\)|\S+)|\$\(LINK))");
  return kLinks.is_in(target.recipe);
}

// The role's first target by the order of names. A program of that name is started, and made by
// the build if the build does not make it anyway.
void find_role(const Makefile& makefile, std::initializer_list<const char*> names,
               FoundCommand& found, std::vector<std::string>& extra_goals) {
  for (const char* name : names) {
    const Target* target = find_target(makefile, name);
    if (target == nullptr || !found.command.empty()) continue;
    const std::string reason = fmt::format("target {} of {}", name, makefile.file_name);
    if (makes_a_program(makefile, *target)) {
      extra_goals.emplace_back(name);
      fill(found, std::string("./") + name, reason + ", a program");
    } else {
      fill(found, std::string("make ") + name, reason);
    }
  }
}

std::string build_command(const Makefile& makefile, const std::vector<std::string>& extra_goals) {
  std::string command = "make -j2";
  const bool has_all = find_target(makefile, "all") != nullptr;
  const bool is_all_first = has_all && makefile.targets.front().name == "all";
  const std::string first = makefile.targets.empty() ? "" : makefile.targets.front().name;
  if (extra_goals.empty()) return has_all && !is_all_first ? command + " all" : command;
  command += " " + (has_all ? "all" : first);
  for (const auto& goal : extra_goals)
    if (goal != first) command += " " + goal;
  return command;
}

void find_executables(const Makefile& makefile, InitFindings& findings) {
  for (const auto& target : makefile.targets)
    if (makes_a_program(makefile, target) && !target.name.ends_with(".o") &&
        target.recipe.find(" -c") == std::string::npos)
      findings.executables.push_back(target.name);
}

}  // namespace

void inspect_make(const fs::path& root, InitFindings& findings) {
  if (!findings.build.command.empty()) return;  // a Makefile beside CMakeLists.txt wraps it
  const Makefile makefile = read_makefile(root);
  if (makefile.file_name.empty()) return;
  findings.build_system = "Make";
  std::vector<std::string> extra_goals;
  find_role(makefile, {"check", "test", "tests", "run-tests"}, findings.check, extra_goals);
  find_role(makefile, {"bench", "benchmark", "benchmarks", "perf"}, findings.bench, extra_goals);
  fill(findings.build, build_command(makefile, extra_goals), makefile.file_name);
  find_executables(makefile, findings);
  for (const auto& target : makefile.targets)
    if (!target.name.contains("clean") && !target.recipe.empty())
      findings.targets.push_back(target.name);
}

}  // namespace arbor::app
