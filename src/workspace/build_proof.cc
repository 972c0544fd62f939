// SPDX-License-Identifier: Apache-2.0
#include "workspace/build_proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
namespace {

class Commands {
 public:
  explicit Commands(const BuiltTree& tree) : tree_(tree) {}

  std::string missing(const domain::ChangeEntry& entry) const {
    if (const auto* flags = std::get_if<domain::CompilerFlags>(&entry))
      return missing_flags(*flags);
    if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry))
      return missing_compiler(*choice);
    if (const auto* patch = std::get_if<domain::SourcePatch>(&entry)) return missing_source(*patch);
    if (const auto* value = std::get_if<domain::KnobValue>(&entry); value && !value->macro.empty())
      return missing_word(fmt::format("-D{}={}", value->macro, value->value), {});
    if (std::holds_alternative<domain::ProfileGuided>(entry)) return missing_profile();
    return "";
  }

 private:
  template <typename Predicate>
  bool any_compile(Predicate predicate) const {
    return std::ranges::any_of(tree_.commands, [&](const CompileCommand& command) {
      const bool compiles = command.kind == CompileCommand::Kind::kCompile ||
                            command.kind == CompileCommand::Kind::kCompileAndLink ||
                            command.kind == CompileCommand::Kind::kLink;
      return compiles && command.exit_code == 0 && predicate(command);
    });
  }

  static bool is_of(const CompileCommand& command, const std::vector<std::string>& files) {
    return files.empty() || std::ranges::any_of(files, [&](const std::string& file) {
             return std::ranges::find(command.sources, file) != command.sources.end();
           });
  }

  std::string missing_word(const std::string& word, const std::vector<std::string>& files) const {
    const bool is_there = any_compile([&](const CompileCommand& command) {
      return is_of(command, files) &&
             std::ranges::find(command.final_argv, word) != command.final_argv.end();
    });
    return is_there ? "" : fmt::format("no recorded command has {}", word);
  }

  std::string missing_flags(const domain::CompilerFlags& flags) const {
    for (const auto& word : flags.add)
      if (auto missing = missing_word(word, flags.files); !missing.empty()) return missing;
    for (const auto& pattern : flags.remove)
      if (auto left = still_there(pattern, flags); !left.empty()) return left;
    return "";
  }

  // A removal that its own additions take the place of ("-O*" by "-O3") shows in those.
  std::string still_there(const std::string& pattern, const domain::CompilerFlags& flags) const {
    const auto is_left = [&](const std::string& word) {
      return domain::is_removed_by(word, pattern) &&
             std::ranges::find(flags.add, word) == flags.add.end();
    };
    const bool is_there = any_compile([&](const CompileCommand& command) {
      return is_of(command, flags.files) && std::ranges::any_of(command.final_argv, is_left);
    });
    return is_there ? fmt::format("a recorded command still has {}", pattern) : "";
  }

  std::string missing_compiler(const domain::CompilerChoice& choice) const {
    const auto is_chosen = [&](const std::string& word) {
      const fs::path name = fs::path(word).filename();
      return name == fs::path(choice.c).filename() || name == fs::path(choice.cxx).filename();
    };
    const bool is_used = any_compile([&](const CompileCommand& command) {
      const auto& words = command.final_argv;  // ccache may stand before the compiler
      return is_chosen(words.front()) || (words.size() > 1 && is_chosen(words[1]));
    });
    return is_used ? "" : fmt::format("no recorded command ran {} or {}", choice.c, choice.cxx);
  }

  std::string missing_profile() const {
    const bool is_used = any_compile([](const CompileCommand& command) {
      return std::ranges::any_of(command.final_argv, [](const std::string& word) {
        return word.starts_with("-fprofile-use");
      });
    });
    return is_used ? "" : "no recorded command used the profile";
  }

  // Of a header or a script nothing is known: what reads it is not recorded.
  std::string missing_source(const domain::SourcePatch& patch) const {
    static const std::vector<std::string> kSources = {".c", ".cc", ".cpp", ".cxx", ".C", ".c++"};
    std::vector<std::string> unseen;
    bool is_any_seen = false;
    for (const auto& file : patch.files) {
      const bool is_source =
          std::ranges::find(kSources, fs::path(file).extension().string()) != kSources.end();
      const bool is_seen =
          any_compile([&](const CompileCommand& command) { return is_of(command, {file}); });
      is_any_seen |= is_seen || !is_source;
      if (is_source && !is_seen) unseen.push_back(file);
    }
    return is_any_seen || unseen.empty()
               ? ""
               : "no recorded command compiles " + base::join(unseen, ", ");
  }

  const BuiltTree& tree_;
};

}  // namespace

std::string missing_in_commands(const BuiltTree& tree, const domain::Change& change) {
  const Commands commands(tree);
  for (const auto& entry : change.entries)
    if (auto missing = commands.missing(entry); !missing.empty()) return missing;
  return "";
}

}  // namespace arbor::workspace
