// SPDX-License-Identifier: Apache-2.0
// Reading what the shim recorded, and what it could not see.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "workspace/shim/command_line.h"
#include "workspace/shim/shim.h"
#include "workspace/shim/tools.h"

namespace arbor::workspace {
namespace {
using Kind = CompileCommand::Kind;

std::optional<Kind> kind_named(const std::string& name) {
  if (name == "compile") return Kind::kCompile;
  if (name == "link") return Kind::kLink;
  if (name == "compile-and-link") return Kind::kCompileAndLink;
  if (name == "probe") return Kind::kProbe;
  if (name == "other") return Kind::kOther;
  return std::nullopt;
}

std::vector<std::string> in_tree(const std::vector<std::string>& paths, const CompileCommand& of,
                                 const std::filesystem::path& tree_path) {
  std::vector<std::string> relative;
  for (const auto& path : paths) relative.push_back(tree_relative(path, of.directory, tree_path));
  return relative;
}

// Wrong types and missing fields throw; the caller turns that into an error.
std::optional<CompileCommand> command_from(const base::Json& json,
                                           const std::filesystem::path& tree_path) {
  CompileCommand command;
  const auto kind = kind_named(json.at("kind").get<std::string>());
  if (!kind) return std::nullopt;
  command.kind = *kind;
  command.directory = json.at("directory").get<std::string>();
  command.tool = json.at("tool").get<std::string>();
  json.at("original").get_to(command.original_argv);
  json.at("final").get_to(command.final_argv);
  command.sources = in_tree(json.at("sources"), command, tree_path);
  command.outputs = in_tree(json.at("outputs"), command, tree_path);
  json.at("exit").get_to(command.exit_code);
  json.at("wall_s").get_to(command.wall_s);
  return command;
}

base::Result<CompileCommand> parse_line(std::string_view line, std::size_t number,
                                        const std::filesystem::path& tree_path) {
  const std::string what = fmt::format("recorded compile commands, line {}", number);
  const auto json = base::parse_json(line, what);
  if (!json) return base::fail(base::ErrorKind::kCorrupt, json.error().message);
  try {
    if (auto command = command_from(*json, tree_path)) return std::move(*command);
  } catch (const nlohmann::json::exception& error) {
    return base::fail(base::ErrorKind::kCorrupt, fmt::format("{}: {}", what, error.what()));
  }
  return base::fail(base::ErrorKind::kCorrupt, what + ": unknown kind of command");
}

bool is_by_driver(const CompileCommand& command) {
  const bool is_work = command.kind == Kind::kCompile || command.kind == Kind::kLink ||
                       command.kind == Kind::kCompileAndLink;
  return is_work && class_of_tool(command.tool) != ToolClass::kLinker;
}

// Drivers that the shim runs find the linker behind it. A linker of ours that was called the way
// gcc calls it was called by a gcc that we did not see.
bool is_by_hidden_driver(const CompileCommand& command) {
  if (class_of_tool(command.tool) != ToolClass::kLinker) return false;
  return std::ranges::any_of(command.original_argv, [](const std::string& word) {
    return word.ends_with("/liblto_plugin.so") || word.find("/crtbegin") != std::string::npos;
  });
}

bool looks_compiled(std::string_view file) {
  return file.ends_with(".o") || file.ends_with(".obj") || file.ends_with(".a") ||
         file.ends_with(".so") || file.find(".so.") != std::string_view::npos ||
         file.substr(file.rfind('/') + 1).find('.') == std::string_view::npos;
}

}  // namespace

base::Result<std::vector<CompileCommand>> parse_commands(std::string_view jsonl,
                                                         const std::filesystem::path& tree_path) {
  std::vector<CompileCommand> commands;
  std::size_t number = 0;
  for (const auto line : base::lines_of(jsonl)) {
    ++number;
    if (base::trim(line).empty()) continue;
    ARBOR_TRY(auto command, parse_line(line, number, tree_path));
    commands.push_back(std::move(command));
  }
  return commands;
}

bool has_unrecorded_compiles(const std::vector<CompileCommand>& commands,
                             const std::vector<std::string>& changed_files) {
  if (std::ranges::any_of(commands, is_by_hidden_driver)) return true;
  return std::ranges::none_of(commands, is_by_driver) &&
         std::ranges::any_of(changed_files, looks_compiled);
}

std::vector<std::string> unrecorded_objects(const std::vector<CompileCommand>& commands,
                                            const std::vector<std::string>& changed_files) {
  std::set<std::string> recorded;
  for (const auto& command : commands)
    recorded.insert(command.outputs.begin(), command.outputs.end());
  std::vector<std::string> unseen;
  for (const auto& file : changed_files)
    if ((file.ends_with(".o") || file.ends_with(".obj")) && !recorded.contains(file))
      unseen.push_back(file);
  return unseen;
}

}  // namespace arbor::workspace
