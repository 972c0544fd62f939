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
#include "workspace/export_flags.h"
#include "workspace/recipe_json.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::Result;

namespace {

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

struct ReadmeLine {
  std::string_view file;  // how its name ends
  std::string_view line;
};
constexpr ReadmeLine kReadme[] = {
    {".patch", "  *.patch            git am *.patch\n"},
    {"environment.sh", "  environment.sh     . ./environment.sh  before the program is started\n"},
    {"CMakePresets.json",
     "  CMakePresets.json  cmake --preset arbor  (copy it and arbor.cmake beside "
     "CMakeLists.txt)\n"},
    {"flags.mk",
     "  flags.mk           include flags.mk  after the Makefile's own CFLAGS, CXXFLAGS and "
     "LDFLAGS\n"},
    {"recipe.json", "  recipe.json        everything, in Arbor's own form\n"}};

// How to use what lies there; of what does not it says nothing.
std::string readme_on(const std::vector<fs::path>& files) {
  std::string text = "What a campaign kept, without Arbor:\n\n";
  for (const auto& [name, line] : kReadme)
    if (std::ranges::any_of(files, [end = name](const fs::path& file) {
          return file.filename().string().ends_with(end);
        }))
      text += line;
  return text;
}

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
      const auto* knob = domain::find_knob(order.knobs, value->knob);
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
  if (is_built_with_cmake(order)) {
    files.emplace_back("CMakePresets.json", cmake_preset(order));
    files.emplace_back("arbor.cmake", cmake_flags(order));
  } else {
    files.emplace_back("flags.mk", make_flags(order));
  }
  std::vector<fs::path> written;
  for (const auto& [name, text] : files) {
    if (text.empty()) continue;
    ARBOR_TRY_VOID(base::write_file(folder / name, text));
    written.push_back(folder / name);
  }
  ARBOR_TRY_VOID(base::write_file(folder / "README", readme_on(written)));
  written.push_back(folder / "README");
  return written;
}

}  // namespace arbor::workspace
