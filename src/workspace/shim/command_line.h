// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/shim/shim.h"

// The arguments of a gcc or clang driver, taken apart far enough to know what the command does.
// Linked into the shim itself: standard library only.
namespace arbor::workspace {

enum class ArgumentRole {
  kOption,      // anything that starts with '-' and is none of the below
  kMode,        // -c, -S
  kOutput,      // -o FILE
  kLanguage,    // -x LANGUAGE
  kLinkOption,  // -L, -Wl, -Xlinker, -T, -z, ...: order among libraries may matter
  kLibrary,     // -l, lib.a, lib.so
  kSource,
  kObject,    // any other input, as the driver hands it to the linker
  kOptionEnd  // "--"
};

// One option with its separate value, or one input. response: index + 1 of the @file argument that
// it came from, 0 for the command line itself.
struct Argument {
  ArgumentRole role = ArgumentRole::kOption;
  std::vector<std::string> words;
  std::size_t response = 0;
  bool is_ours = false;
  const std::string& value() const { return words.back(); }
};

struct CommandLine {
  std::vector<Argument> arguments;          // without argv[0]
  std::vector<std::string> response_files;  // as written, "@flags.rsp"
  std::vector<std::size_t> torn_responses;  // an option's value is on the other side of the edge
  std::string output;                       // of -o; empty when left out
  bool is_query = false;                    // --version, -print-*, -E, -M, -fsyntax-only, -###, ...
  bool reads_stdin = false;
  bool stops_before_link = false;  // -c, -S
  bool has_language_override = false;
  std::vector<std::string> sources() const;
};

// Contents of a response file; nothing when it cannot be read: it then stays one plain argument.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

CommandLine parse_command_line(const std::vector<std::string>& argv, const FileReader& reader);
std::vector<std::string> split_response(std::string_view text);

// What the whole command is for. A probe is a question of configure, CMake, Meson and the like.
CompileCommand::Kind kind_of(const CommandLine& line, const std::filesystem::path& cwd,
                             const std::filesystem::path& tree_path);

// A path relative to the tree where it lies inside, absolute elsewhere; nothing is looked up.
std::string tree_relative(const std::string& path, const std::filesystem::path& cwd,
                          const std::filesystem::path& tree_path);

// The files that a command of this kind writes, as its arguments say, for an argv without -o too.
std::vector<std::string> outputs_of(const CommandLine& line, CompileCommand::Kind kind);

}  // namespace arbor::workspace
