// SPDX-License-Identifier: Apache-2.0
#include "workspace/git.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace arbor::workspace {
namespace {
using base::Result;

constexpr double kGitTimeoutS = 600;  // a snapshot or checkout of a very large tree on a slow disk
constexpr std::size_t kMaxGitOutput = 512UL << 20;

// What must not come from any configuration file.
constexpr const char* kSettings[] = {
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.quotePath=false",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.fsync=committed",
    "core.fsyncMethod=batch",
    "core.alternateRefsCommand=true",
    "core.splitIndex=false",
    "index.threads=1",
    "protocol.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "submodule.recurse=false",
    "advice.detachedHead=false",
    "safe.directory=*",
};

// The environment separates folders by ':'; one that needs it is quoted.
std::string alternates_text(const std::vector<std::filesystem::path>& folders) {
  std::string text;
  for (const auto& folder : folders) {
    if (!text.empty()) text += ':';
    text += quoted_for_git(folder);
  }
  return text;
}

}  // namespace

Git Git::in_folder(std::filesystem::path folder) {
  Git git{{}};
  git.folder_ = std::move(folder);
  return git;
}

Git Git::with_index(std::filesystem::path index) const {
  Git git = *this;
  git.index_ = std::move(index);
  return git;
}

Git Git::with_work_tree(std::filesystem::path work_tree) const {
  Git git = *this;
  git.work_tree_ = std::move(work_tree);
  return git;
}

Git Git::with_more_objects(std::filesystem::path objects) const {
  Git git = *this;
  git.more_objects_.push_back(std::move(objects));
  return git;
}

Git Git::with_date(std::string date) const {
  Git git = *this;
  git.date_ = std::move(date);
  return git;
}

base::ToolCall Git::call_of(std::vector<std::string> arguments, std::string input) const {
  base::ToolCall call;
  call.argv = {"git", "--no-replace-objects", "--literal-pathspecs"};
  for (const char* setting : kSettings) {
    call.argv.emplace_back("-c");
    call.argv.emplace_back(setting);
  }
  std::move(arguments.begin(), arguments.end(), std::back_inserter(call.argv));
  call.environment = {{"GIT_CONFIG_NOSYSTEM", "1"},
                      {"GIT_CONFIG_GLOBAL", "/dev/null"},
                      {"GIT_TERMINAL_PROMPT", "0"},
                      {"GIT_OPTIONAL_LOCKS", "0"},
                      {"GIT_ATTR_NOSYSTEM", "1"},
                      {"GIT_NO_LAZY_FETCH", "1"},
                      {"GIT_ASKPASS", "/bin/false"},
                      {"GIT_AUTHOR_NAME", "Arbor"},
                      {"GIT_COMMITTER_NAME", "Arbor"},
                      {"GIT_AUTHOR_EMAIL", "arbor@localhost"},
                      {"GIT_COMMITTER_EMAIL", "arbor@localhost"},
                      {"LC_ALL", "C"},
                      {"TZ", "UTC"}};
  if (!date_.empty())
    call.environment["GIT_AUTHOR_DATE"] = call.environment["GIT_COMMITTER_DATE"] = date_;
  if (!git_dir_.empty()) call.environment["GIT_DIR"] = git_dir_.string();
  if (!index_.empty()) call.environment["GIT_INDEX_FILE"] = index_.string();
  if (!work_tree_.empty()) call.environment["GIT_WORK_TREE"] = work_tree_.string();
  if (!more_objects_.empty())
    call.environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = alternates_text(more_objects_);
  call.cwd = !work_tree_.empty() ? work_tree_ : !folder_.empty() ? folder_ : git_dir_;
  call.standard_input = std::move(input);
  call.timeout_s = kGitTimeoutS;
  call.max_output_bytes = kMaxGitOutput;
  return call;
}

Result<base::ToolOutput> Git::try_run(std::vector<std::string> arguments, std::string input) const {
  return base::run_tool(call_of(std::move(arguments), std::move(input)));
}

Result<std::string> Git::run(std::vector<std::string> arguments, std::string input) const {
  const std::string shown = "git " + base::shell_command(arguments);
  ARBOR_TRY(auto output, try_run(std::move(arguments), std::move(input)));
  if (output.is_truncated)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("'{}' printed more than {} bytes", shown, kMaxGitOutput));
  if (output.exit_code == 0) return std::move(output.standard_output);
  return base::fail(
      base::ErrorKind::kInternal,
      fmt::format("'{}' in '{}' failed with code {}: {}", base::shortened(shown, 300),
                  git_dir_.string(), output.exit_code,
                  base::shortened(base::printable(base::trim(output.standard_error)), 2000)));
}

Result<std::string> Git::line(std::vector<std::string> arguments, std::string input) const {
  ARBOR_TRY(std::string text, run(std::move(arguments), std::move(input)));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string quoted_for_git(const std::filesystem::path& path) {
  std::string text = "\"";
  for (const char c : path.string()) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\')
      text += fmt::format("\\{:03o}", static_cast<unsigned>(c));
    else
      text += c;
  }
  return text + '"';
}

std::vector<std::string> split_nul(std::string_view text) {
  std::vector<std::string> parts;
  for (const auto part : base::split(text, '\0')) parts.emplace_back(part);
  if (!parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

bool is_object_name(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (text.size() == 40 || text.size() == 64) && std::all_of(text.begin(), text.end(), is_hex);
}

Result<void> check_object_name(std::string_view text) {
  if (is_object_name(text)) return {};
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("'{}' is no full commit id", base::shortened(text, 100)));
}

Result<std::vector<TreeChange>> tree_changes(const Git& git, const std::string& from,
                                             const std::string& to) {
  ARBOR_TRY(const std::string text,
            git.run({"diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index",
                     "--ignore-submodules=none", from, to}));
  std::vector<TreeChange> changes;
  const auto parts = split_nul(text);  // ":OLDMODE NEWMODE OLD NEW STATUS", path, ...
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    const auto words = base::split(std::string_view(parts[i]).substr(1), ' ');
    if (words.size() < 5)
      return base::fail(base::ErrorKind::kInternal, "git diff-tree printed: " + parts[i]);
    changes.push_back({std::string(words[0]), std::string(words[1]), std::string(words[2]),
                       std::string(words[3]), parts[i + 1]});
  }
  return changes;
}

Result<std::vector<TreeEntry>> tree_entries(const Git& git, const std::string& tree) {
  ARBOR_TRY(const std::string text, git.run({"ls-tree", "-r", "-z", "--full-tree", tree}));
  std::vector<TreeEntry> entries;
  for (const auto& part : split_nul(text)) {  // "MODE TYPE OBJECT\tPATH"
    const auto tab = part.find('\t');
    const auto words = base::split(std::string_view(part).substr(0, tab), ' ');
    if (tab == std::string::npos || words.size() != 3)
      return base::fail(base::ErrorKind::kInternal, "git ls-tree printed: " + part);
    entries.push_back({std::string(words[0]), std::string(words[2]), part.substr(tab + 1)});
  }
  return entries;
}

}  // namespace arbor::workspace
