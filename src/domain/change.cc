// SPDX-License-Identifier: Apache-2.0
#include "domain/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"

namespace arbor::domain {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

std::string files_suffix(const std::vector<std::string>& files) {
  return files.empty() ? "" : " (" + base::join(files, ", ") + ")";
}

// One entry in the canonical form. Texts are quoted, so that no value can pose as another entry.
std::string canonical_entry(const ChangeEntry& entry) {
  const auto list = [](const std::vector<std::string>& texts) {
    std::string text;
    for (const auto& each : texts) text += " " + base::shell_quoted(each);
    return text;
  };
  return std::visit(
      Overloaded{
          [](const SourcePatch& patch) {
            return "source " +
                   (patch.commit.empty() ? "diff:" + base::content_hash(patch.diff) : patch.commit);
          },
          [&](const CompilerFlags& flags) {
            return fmt::format("flags add{} remove{} files{} link {}", list(flags.add),
                               list(flags.remove), list(flags.files), flags.reaches_link ? 1 : 0);
          },
          [](const CompilerChoice& choice) {
            return "compiler " + base::shell_quoted(choice.c) + " " +
                   base::shell_quoted(choice.cxx);
          },
          [](const ProfileGuided& guided) { return "pgo " + guided.profile_object; },
          [](const EnvironmentVariable& variable) {
            return "env " + base::shell_quoted(variable.name) + " " +
                   base::shell_quoted(variable.value);
          },
          [](const Preload& preload) { return "preload " + base::shell_quoted(preload.library); },
          [](const KnobValue& value) {
            return "knob " + base::shell_quoted(value.knob) + " " +
                   base::shell_quoted(value.value) +
                   (value.macro.empty() ? "" : " macro " + base::shell_quoted(value.macro));
          },
      },
      entry);
}

// Variables and knobs: only the last value of a name counts, and their order does not.
std::string canonical_of(const Recipe& recipe, bool (*is_wanted)(const ChangeEntry&)) {
  std::string ordered;
  std::map<std::string, std::string> last;
  for (const auto& entry : recipe.entries) {
    if (!is_wanted(entry)) continue;
    const std::string text = canonical_entry(entry);
    if (const auto* variable = std::get_if<EnvironmentVariable>(&entry))
      last["env " + variable->name] = text;
    else if (const auto* knob = std::get_if<KnobValue>(&entry))
      last["knob " + knob->knob] = text;
    else if (std::holds_alternative<CompilerChoice>(entry))
      last["compiler"] = text;
    else
      ordered += text + "\n";
  }
  for (const auto& [name, text] : last) ordered += text + "\n";
  return ordered;
}

}  // namespace

KnobValue knob_value(const Knob& knob, std::string value) {
  const bool is_macro = knob.kind == KnobKind::kDefine;
  return {knob.name, std::move(value), is_macro ? knob.variable : ""};
}

bool changes_source(const ChangeEntry& entry) { return std::holds_alternative<SourcePatch>(entry); }

bool changes_build(const ChangeEntry& entry) {
  return changes_source(entry) || std::holds_alternative<CompilerFlags>(entry) ||
         std::holds_alternative<CompilerChoice>(entry) ||
         std::holds_alternative<ProfileGuided>(entry) ||
         (std::holds_alternative<KnobValue>(entry) && !std::get<KnobValue>(entry).macro.empty());
}

bool changes_launch(const ChangeEntry& entry) { return !changes_build(entry); }

Recipe extended(Recipe recipe, const Change& change) {
  const bool changes_compiler = std::ranges::any_of(change.entries, [](const auto& entry) {
    return std::holds_alternative<CompilerChoice>(entry);
  });
  for (auto& entry : recipe.entries)
    if (auto* guided = std::get_if<ProfileGuided>(&entry); guided != nullptr && changes_compiler)
      guided->profile_object.clear();
  recipe.entries.insert(recipe.entries.end(), change.entries.begin(), change.entries.end());
  return recipe;
}

std::string canonical_form(const Recipe& recipe) {
  return canonical_of(recipe, [](const ChangeEntry&) { return true; });
}

std::string recipe_hash(const Recipe& recipe) { return base::content_hash(canonical_form(recipe)); }

std::string build_hash(const Recipe& recipe) {
  return base::content_hash(canonical_of(recipe, changes_build));
}

std::string launch_form(const Recipe& recipe) { return canonical_of(recipe, changes_launch); }

std::string describe(const ChangeEntry& entry) {
  return std::visit(
      Overloaded{
          [](const SourcePatch& patch) { return "patch " + base::join(patch.files, " "); },
          [](const CompilerFlags& flags) {
            std::vector<std::string> parts;
            if (!flags.add.empty()) parts.push_back("+ " + base::join(flags.add, " "));
            if (!flags.remove.empty()) parts.push_back("- " + base::join(flags.remove, " "));
            return base::join(parts, " ") + files_suffix(flags.files);
          },
          [](const CompilerChoice& choice) { return "compiler " + choice.cxx; },
          [](const ProfileGuided&) { return std::string("profile-guided build"); },
          [](const EnvironmentVariable& variable) { return variable.name + "=" + variable.value; },
          [](const Preload& preload) { return "preload " + preload.library; },
          [](const KnobValue& value) { return value.knob + " = " + value.value; },
      },
      entry);
}

std::string describe(const std::vector<ChangeEntry>& entries, std::string_view separator) {
  std::vector<std::string> parts;
  for (const auto& entry : entries) parts.push_back(describe(entry));
  return base::join(parts, separator);
}

}  // namespace arbor::domain
