// SPDX-License-Identifier: Apache-2.0
#include "agents/specialists/evidence_view.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace arbor::agents {
namespace {

using workspace::CompileCommand;

constexpr double kGuessedOwnShare = 0.7;  // without a profile

bool is_compile(const CompileCommand& command) {
  return command.kind == CompileCommand::Kind::kCompile ||
         command.kind == CompileCommand::Kind::kCompileAndLink;
}

bool is_inside(const std::string& source) { return !source.empty() && source.front() != '/'; }

bool compiles_file(const CompileCommand& command, std::string_view file) {
  return std::ranges::find(command.sources, file) != command.sources.end();
}

bool recipe_has_flag(const domain::Recipe& recipe, std::string_view flag, std::string_view file) {
  for (const auto& entry : recipe.entries) {
    const auto* flags = std::get_if<domain::CompilerFlags>(&entry);
    if (flags == nullptr || std::ranges::find(flags->add, flag) == flags->add.end()) continue;
    if (flags->files.empty()) return true;
    if (!file.empty() && std::ranges::find(flags->files, file) != flags->files.end()) return true;
  }
  return false;
}

bool is_library(const std::string& object) {
  return object.contains(".so") || object.starts_with('[') || object.starts_with("kernel");
}

bool is_identifier_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::vector<const CompileCommand*> compiles(const Evidence& evidence) {
  std::vector<const CompileCommand*> found;
  for (const auto& command : evidence.commands)
    if (is_compile(command) && std::ranges::any_of(command.sources, is_inside))
      found.push_back(&command);
  return found;
}

std::vector<std::string> compiled_sources(const Evidence& evidence) {
  std::set<std::string> sources;
  for (const auto* command : compiles(evidence))
    for (const auto& source : command->sources)
      if (is_inside(source) && is_c_family(source)) sources.insert(source);
  return {sources.begin(), sources.end()};
}

std::vector<HotFile> hot_files(const Evidence& evidence) {
  std::map<std::string, double> shares;
  for (const auto& spot : evidence.profile.hotspots)
    if (!spot.file.empty()) shares[spot.file] += spot.share;
  std::vector<HotFile> files;
  for (const auto& source : compiled_sources(evidence))
    if (const auto found = shares.find(source); found != shares.end())
      files.push_back({source, found->second});
  std::ranges::sort(files, [](const HotFile& a, const HotFile& b) {
    return std::tie(b.share, a.path) < std::tie(a.share, b.path);
  });
  return files;
}

double own_share(const Evidence& evidence) {
  if (evidence.profile.hotspots.empty()) return kGuessedOwnShare;
  double share = 0;
  for (const auto& spot : evidence.profile.hotspots)
    if (!is_library(spot.object)) share += spot.share;
  return std::clamp(share, 0.01, 1.0);
}

std::optional<std::string> last_argument(const CompileCommand& command, std::string_view prefix) {
  const auto& argv = command.final_argv.empty() ? command.original_argv : command.final_argv;
  for (auto argument = argv.rbegin(); argument != argv.rend(); ++argument)
    if (argument->starts_with(prefix)) return *argument;
  return std::nullopt;
}

bool has_flag(const Evidence& evidence, std::string_view flag, std::string_view file) {
  if (recipe_has_flag(evidence.recipe, flag, file)) return true;
  bool is_seen = false;
  for (const auto* command : compiles(evidence)) {
    if (!file.empty() && !compiles_file(*command, file)) continue;
    const auto& argv = command->final_argv.empty() ? command->original_argv : command->final_argv;
    if (std::ranges::find(argv, flag) == argv.end()) return false;
    is_seen = true;
  }
  return is_seen;
}

bool has_flags(const Evidence& evidence, const std::vector<std::string>& flags,
               std::string_view file) {
  return std::ranges::all_of(flags,
                             [&](const auto& flag) { return has_flag(evidence, flag, file); });
}

bool is_c_family(std::string_view path) {
  static const std::set<std::string, std::less<>> kSuffixes = {
      ".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"};
  return kSuffixes.contains(std::filesystem::path(path).extension().string());
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_identifier_character(text[at - 1]);
    const auto end = at + word.size();
    if (begins && (end >= text.size() || !is_identifier_character(text[end]))) return true;
  }
  return false;
}

bool is_float_code(const Evidence& evidence, const std::string& path) {
  if (!evidence.read_source) return false;
  const auto text = evidence.read_source(path);
  return text && (has_word(*text, "float") || has_word(*text, "double"));
}

}  // namespace arbor::agents
