// SPDX-License-Identifier: Apache-2.0
#include "workspace/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "workspace/recipe_json.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::Result;

namespace {

const domain::Knob* find_knob(const SeriesOrder& order, const std::string& name) {
  const auto found = std::ranges::find(order.knobs, name, &domain::Knob::name);
  return found == order.knobs.end() ? nullptr : &*found;
}

// The flags of the whole program; those of single files, by file; removals; the compiler.
struct Flags {
  std::vector<std::string> compile, link, removed;
  std::map<std::string, std::vector<std::string>> by_file;
  domain::CompilerChoice compiler;
  bool is_profile_guided = false;
  bool empty() const {
    return compile.empty() && link.empty() && removed.empty() && by_file.empty() &&
           compiler == domain::CompilerChoice{};
  }
};

void add_all(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Flags flags_of(const SeriesOrder& order) {
  Flags flags;
  std::map<std::string, std::string> macros;
  for (const auto& entry : order.recipe.entries) {
    if (const auto* entry_flags = std::get_if<domain::CompilerFlags>(&entry)) {
      add_all(flags.removed, entry_flags->remove);
      if (entry_flags->files.empty()) add_all(flags.compile, entry_flags->add);
      if (entry_flags->files.empty() && entry_flags->reaches_link)
        add_all(flags.link, entry_flags->add);
      for (const auto& file : entry_flags->files) add_all(flags.by_file[file], entry_flags->add);
    } else if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry)) {
      flags.compiler = *choice;
    } else if (std::holds_alternative<domain::ProfileGuided>(entry)) {
      flags.is_profile_guided = true;
    } else if (const auto* value = std::get_if<domain::KnobValue>(&entry)) {
      const auto* knob = find_knob(order, value->knob);
      if (knob != nullptr && knob->kind == domain::KnobKind::kDefine)
        macros[knob->variable] = value->value;
    }
  }
  for (const auto& [name, value] : macros)
    flags.compile.push_back(fmt::format("-D{}={}", name, value));
  return flags;
}

// Only quoted where quoting is needed, always with ' as the shell reads it.
std::string always_quoted(std::string_view value) {
  const std::string quoted = base::shell_quoted(value);
  return quoted.starts_with('\'') ? quoted : "'" + quoted + "'";
}

std::string file_name(std::size_t number, std::string_view summary) {
  std::string name;
  for (const char c : summary.substr(0, 52)) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return fmt::format("{:04}-{}.patch", number, name.empty() ? "change" : name);
}

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// Lines that would end a mail's message early are moved to the right.
std::string message_text(std::string_view text) {
  std::string safe;
  for (const auto line : base::lines_of(base::trim(text))) {
    const bool ends_message =
        line.starts_with("---") || line.starts_with("diff -") || line.starts_with("Index: ");
    safe += (ends_message ? " " : "") + base::printable(line) + "\n";
  }
  return safe;
}

// As `git format-patch` writes a commit, so that `git am` takes it.
std::string mail_of(const SeriesCommit& commit, std::size_t number, std::size_t total,
                    const std::string& diff) {
  return fmt::format(
      "From {} Mon Sep 17 00:00:00 2001\nFrom: Arbor <arbor@localhost>\nSubject: [PATCH {}/{}] "
      "{}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: "
      "8bit\n\n{}---\n\n{}-- \narbor\n",
      commit.commit, number, total, base::printable(base::lines_of(commit.summary + "\n")[0]),
      message_text(commit.evidence), diff);
}

constexpr const char* kReadme =
    "What a campaign kept, without Arbor:\n\n"
    "  *.patch            git am *.patch\n"
    "  environment.sh     . ./environment.sh  before the program is started\n"
    "  CMakePresets.json  cmake --preset arbor  (copy it beside CMakeLists.txt)\n"
    "  flags.mk           include flags.mk  at the end of the Makefile's own flags\n"
    "  recipe.json        everything, in Arbor's own form\n";

}  // namespace

std::string environment_file(const SeriesOrder& order) {
  std::map<std::string, std::string> variables;
  std::vector<std::string> preloads;
  for (const auto& entry : order.recipe.entries) {
    if (const auto* variable = std::get_if<domain::EnvironmentVariable>(&entry)) {
      variables[variable->name] = variable->value;
    } else if (const auto* preload = std::get_if<domain::Preload>(&entry)) {
      if (std::ranges::find(preloads, preload->library) == preloads.end())
        preloads.push_back(preload->library);
    } else if (const auto* value = std::get_if<domain::KnobValue>(&entry)) {
      const auto* knob = find_knob(order, value->knob);
      if (knob != nullptr && knob->kind == domain::KnobKind::kEnvironment)
        variables[knob->variable] = value->value;
    }
  }
  if (!preloads.empty()) {
    std::string& list = variables["LD_PRELOAD"];
    list = (list.empty() ? "" : list + ":") + base::join(preloads, ":");
  }
  std::string text;
  for (const auto& [name, value] : variables)
    if (is_variable_name(name)) text += fmt::format("export {}={}\n", name, always_quoted(value));
  return text;
}

std::string cmake_preset(const SeriesOrder& order) {
  const Flags flags = flags_of(order);
  if (flags.empty()) return {};
  base::Json cache = base::Json::object();
  const std::string compile = base::shell_command(flags.compile);
  const std::string link = base::shell_command(flags.link);
  if (!compile.empty()) cache["CMAKE_C_FLAGS"] = cache["CMAKE_CXX_FLAGS"] = compile;
  if (!link.empty()) cache["CMAKE_EXE_LINKER_FLAGS"] = cache["CMAKE_SHARED_LINKER_FLAGS"] = link;
  if (!flags.compiler.c.empty()) cache["CMAKE_C_COMPILER"] = flags.compiler.c;
  if (!flags.compiler.cxx.empty()) cache["CMAKE_CXX_COMPILER"] = flags.compiler.cxx;
  std::string note = "Flags that Arbor kept.";
  for (const auto& [file, added] : flags.by_file)
    note += fmt::format(
        " For {} only: set_source_files_properties({} PROPERTIES COMPILE_OPTIONS \"{}\").", file,
        file, base::join(added, ";"));
  if (!flags.removed.empty()) note += " Remove: " + base::join(flags.removed, " ") + ".";
  const base::Json preset = {{"version", 3},
                             {"configurePresets",
                              {{{"name", "arbor"},
                                {"displayName", "As optimised by Arbor"},
                                {"description", note},
                                {"binaryDir", "${sourceDir}/build/arbor"},
                                {"cacheVariables", cache}}}}};
  return base::dump_json(preset, 2) + "\n";
}

std::string make_flags(const SeriesOrder& order) {
  const Flags flags = flags_of(order);
  if (flags.empty()) return {};
  const auto for_make = [](const std::vector<std::string>& words) {
    std::string text;
    for (const char c : base::printable(base::shell_command(words)))
      text += c == '$' ? "$$" : c == '#' ? "\\#" : std::string(1, c);
    return text;
  };
  std::string text = "# include this after the Makefile's own flags\n";
  if (!flags.compiler.c.empty()) text += "override CC := " + flags.compiler.c + "\n";
  if (!flags.compiler.cxx.empty()) text += "override CXX := " + flags.compiler.cxx + "\n";
  if (!flags.removed.empty()) {
    std::vector<std::string> patterns = flags.removed;
    for (auto& pattern : patterns) std::ranges::replace(pattern, '*', '%');
    for (const char* name : {"CFLAGS", "CXXFLAGS"})
      text += fmt::format("override {0} := $(filter-out {1},$({0}))\n", name,
                          base::join(patterns, " "));
  }
  if (!flags.compile.empty())
    for (const char* name : {"CFLAGS", "CXXFLAGS"})
      text += fmt::format("override {} += {}\n", name, for_make(flags.compile));
  if (!flags.link.empty()) text += "override LDFLAGS += " + for_make(flags.link) + "\n";
  for (const auto& [file, added] : flags.by_file) {
    const std::string object = fs::path(file).replace_extension(".o").string();
    for (const char* name : {"CFLAGS", "CXXFLAGS"})
      text += fmt::format("{}: override {} += {}\n", object, name, for_make(added));
  }
  return text;
}

Result<std::vector<fs::path>> export_series(const Repository& repository, const SeriesOrder& order,
                                            const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  std::size_t number = 0;
  for (const auto& commit : order.commits) {
    ARBOR_TRY(const std::string parent, repository.parent_of(commit.commit));
    ARBOR_TRY(const std::string diff, repository.diff(parent, commit.commit));
    ++number;
    files.emplace_back(file_name(number, commit.summary),
                       mail_of(commit, number, order.commits.size(), diff));
  }
  files.emplace_back("recipe.json", recipe_to_json(order.recipe, 2) + "\n");
  files.emplace_back("environment.sh", environment_file(order));
  files.emplace_back("CMakePresets.json", cmake_preset(order));
  files.emplace_back("flags.mk", make_flags(order));
  files.emplace_back("README", kReadme);
  std::vector<fs::path> written;
  for (const auto& [name, text] : files) {
    if (text.empty()) continue;
    ARBOR_TRY_VOID(base::write_file(folder / name, text));
    written.push_back(folder / name);
  }
  return written;
}

}  // namespace arbor::workspace
