// SPDX-License-Identifier: Apache-2.0
#include "workspace/export_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

// The flags of the whole program; those of single files, by file; removals; the compiler.
struct Flags {
  Words compile, link, removed;
  std::map<std::string, Words> by_file, removed_by_file;
  domain::CompilerChoice compiler;
  bool empty() const {
    return compile.empty() && link.empty() && removed.empty() && by_file.empty() &&
           compiler == domain::CompilerChoice{};
  }
};

void add_all(Words& to, const Words& from) { to.insert(to.end(), from.begin(), from.end()); }

void add_flags(const domain::CompilerFlags& entry, Flags& flags) {
  if (entry.files.empty()) {
    add_all(flags.removed, entry.remove);
    add_all(flags.compile, entry.add);
    if (entry.reaches_link) add_all(flags.link, entry.add);
  }
  for (const auto& file : entry.files) {
    if (!entry.add.empty()) add_all(flags.by_file[file], entry.add);
    if (!entry.remove.empty()) add_all(flags.removed_by_file[file], entry.remove);
  }
}

Flags flags_of(const SeriesOrder& order) {
  Flags flags;
  std::map<std::string, std::string> macros;
  for (const auto& entry : order.recipe.entries) {
    if (const auto* entry_flags = std::get_if<domain::CompilerFlags>(&entry)) {
      add_flags(*entry_flags, flags);
    } else if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry)) {
      flags.compiler = *choice;
    } else if (const auto* value = std::get_if<domain::KnobValue>(&entry)) {
      const auto* knob = domain::find_knob(order.knobs, value->knob);
      if (knob != nullptr && knob->kind == domain::KnobKind::kDefine)
        macros[knob->variable] = value->value;
    }
  }
  for (const auto& [name, value] : macros)
    flags.compile.push_back(fmt::format("-D{}={}", name, value));
  return flags;
}

std::string for_make(const Words& words) {
  std::string text;
  for (const char c : base::printable(base::shell_command(words)))
    text += c == '$' ? "$$" : c == '#' ? "\\#" : std::string(1, c);
  return text;
}

// As the left side of a rule: blanks and make's own signs lose their meaning.
std::string make_target(std::string_view path) {
  std::string text;
  for (const char c : base::printable(path)) {
    if (c == ' ' || c == '#' || c == ':' || c == '%') text += '\\';
    text += c == '$' ? "$$" : std::string(1, c);
  }
  return text;
}

fs::path in_program(const SeriesOrder& order, const std::string& path) {
  return fs::path(path).lexically_relative(
      order.program_folder.empty() ? fs::path(".") : fs::path(order.program_folder));
}

// The rules of the program's own Makefile that make a source's objects.
Words targets_of(const SeriesOrder& order, const std::string& source) {
  Words targets;
  for (const auto& file : order.objects)
    if (file.source == source && in_program(order, file.directory) == ".")
      targets.push_back(file.object);
  return targets;
}

// Words of the build command after an option, joined to it or apart: "-S" "x", "-Sx".
std::string option_of(const SeriesOrder& order, std::string_view option) {
  const auto words = base::shell_words(order.build_command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(option) && words[i].size() > option.size())
      return words[i].substr(option.size());
  }
  return {};
}

// -DNAME=VALUE and -DNAME:TYPE=VALUE of the build command, the build type among them.
base::Json cache_of(const SeriesOrder& order) {
  base::Json cache = base::Json::object();
  for (const auto& word : base::shell_words(order.build_command)) {
    const auto equals = word.find('=');
    if (!word.starts_with("-D") || equals == std::string::npos) continue;
    cache[word.substr(2, std::min(word.find(':'), equals) - 2)] = word.substr(equals + 1);
  }
  return cache;
}

std::string in_brackets(std::string_view text) { return "[==[" + base::printable(text) + "]==]"; }

std::string options_for_cmake(const Words& words, std::string_view format) {
  std::string text;
  for (const auto& word : words) text += " " + in_brackets(fmt::format(fmt::runtime(format), word));
  return text;
}

constexpr const char* kCmakeHead =
    R"(# Flags that a campaign kept: after every flag of the build's own, so that they win.
# CMakePresets.json has it included.
if(DEFINED ARBOR_FLAGS_GIVEN)
  return()
endif()
set(ARBOR_FLAGS_GIVEN TRUE)

function(arbor_give_flags folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      continue()
    endif()
)";

constexpr const char* kCmakeTail =
    R"(  get_property(inner_folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS inner_folders)
    arbor_give_flags("${inner}")
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL arbor_give_flags "${CMAKE_SOURCE_DIR}")
)";

}  // namespace

bool is_built_with_cmake(const SeriesOrder& order) {
  return std::ranges::any_of(base::shell_words(order.build_command), [](const std::string& word) {
    return fs::path(word).filename() == "cmake";
  });
}

std::string make_flags(const SeriesOrder& order) {
  const Flags flags = flags_of(order);
  if (flags.empty()) return {};
  std::string text = "# include this after the Makefile's own flags\n";
  if (!flags.compiler.c.empty()) text += "override CC := " + flags.compiler.c + "\n";
  if (!flags.compiler.cxx.empty()) text += "override CXX := " + flags.compiler.cxx + "\n";
  if (!flags.removed.empty()) {
    Words patterns = flags.removed;
    for (auto& pattern : patterns) std::ranges::replace(pattern, '*', '%');
    for (const char* name : {"CFLAGS", "CXXFLAGS"})
      text += fmt::format("override {0} := $(filter-out {1},$({0}))\n", name,
                          base::join(patterns, " "));
  }
  if (!flags.compile.empty())
    for (const char* name : {"CFLAGS", "CXXFLAGS"})
      text += fmt::format("override {} += {}\n", name, for_make(flags.compile));
  if (!flags.link.empty()) text += "override LDFLAGS += " + for_make(flags.link) + "\n";
  for (const auto& [file, added] : flags.by_file)
    for (const auto& target : targets_of(order, file))
      for (const char* name : {"CFLAGS", "CXXFLAGS"})
        text += fmt::format("{}: override {} += {}\n", make_target(target), name, for_make(added));
  return text;
}

std::string cmake_preset(const SeriesOrder& order) {
  const Flags flags = flags_of(order);
  if (flags.empty()) return {};
  base::Json cache = cache_of(order);
  cache["CMAKE_PROJECT_INCLUDE"] = "${sourceDir}/arbor.cmake";
  if (!flags.compiler.c.empty()) cache["CMAKE_C_COMPILER"] = flags.compiler.c;
  if (!flags.compiler.cxx.empty()) cache["CMAKE_CXX_COMPILER"] = flags.compiler.cxx;
  base::Json preset = {{"name", "arbor"},
                       {"displayName", "As optimised by Arbor"},
                       {"binaryDir", "${sourceDir}/build/arbor"},
                       {"cacheVariables", cache}};
  if (const auto generator = option_of(order, "-G"); !generator.empty())
    preset["generator"] = generator;
  return base::dump_json({{"version", 3}, {"configurePresets", {preset}}}, 2) + "\n";
}

std::string cmake_flags(const SeriesOrder& order) {
  const Flags flags = flags_of(order);
  if (flags.empty()) return {};
  std::string text = kCmakeHead;
  if (!flags.compile.empty())
    text += "    target_compile_options(${target} PRIVATE" +
            options_for_cmake(flags.compile, "$<$<COMPILE_LANGUAGE:C,CXX>:{}>") + ")\n";
  if (!flags.link.empty())
    text +=
        "    target_link_options(${target} PRIVATE" + options_for_cmake(flags.link, "{}") + ")\n";
  text += "  endforeach()\n";
  const fs::path source_folder = option_of(order, "-S");
  for (const auto& [file, added] : flags.by_file) {
    const fs::path path = in_program(order, file);
    const fs::path shown =
        source_folder.empty() ? path : path.lexically_relative(source_folder.lexically_normal());
    text += fmt::format(
        "  set_property(SOURCE \"${{CMAKE_SOURCE_DIR}}/{}\" DIRECTORY \"${{folder}}\" APPEND "
        "PROPERTY COMPILE_OPTIONS{})\n",
        base::printable(shown.lexically_normal().string()), options_for_cmake(added, "{}"));
  }
  return text + kCmakeTail;
}

Words flags_by_hand(const SeriesOrder& order) {
  const Flags flags = flags_of(order);
  Words lines;
  if (!is_built_with_cmake(order))
    for (const auto& [file, added] : flags.by_file)
      if (targets_of(order, file).empty())
        lines.push_back(fmt::format("Compile {} with {} added, no other file.", file,
                                    base::shell_command(added)));
  Words others;  // a later -O level wins by itself
  for (const auto& removed : flags.removed)
    if (!removed.starts_with("-O")) others.push_back(removed);
  if (is_built_with_cmake(order) && !others.empty())
    lines.push_back("Take out of the build's own flags: " + base::join(others, " ") + ".");
  for (const auto& [file, removed] : flags.removed_by_file)
    lines.push_back(fmt::format("Compile {} without {}.", file, base::join(removed, " ")));
  for (auto& line : lines) line = base::printable(line);
  return lines;
}

}  // namespace arbor::workspace
