// SPDX-License-Identifier: Apache-2.0
#include "workspace/own_git.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

// Left alone where it is right already: another Arbor may be reading it.
Result<void> put(const fs::path& file, const std::string& bytes) {
  const auto present = base::read_file(file);
  if (present && *present == bytes) return {};
  return base::write_file_durable(file, bytes);
}

// A file of the user's repository becomes a file of ours; one that is absent there is removed.
Result<void> mirror(const fs::path& from, const fs::path& to) {
  auto bytes = base::read_file(from);
  std::error_code ignored;
  if (!bytes) return fs::remove(to, ignored), Result<void>();
  return put(to, *bytes);
}

bool is_plain_value(std::string value) {
  constexpr std::string_view kPlain[] = {"true", "false", "yes",   "no", "on",   "off",
                                         "1",    "0",     "input", "lf", "crlf", "native"};
  for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::find(kPlain, value) != std::end(kPlain);
}

// The whole configuration: ours, and of the user's repository what says how its files look on this
// disk; nothing else of its configuration is taken over.
Result<std::string> config_text(const fs::path& user_common_dir, const std::string& object_format) {
  const bool is_plain = object_format == "sha1";
  std::string text =
      fmt::format("[core]\n\trepositoryformatversion = {}\n\tbare = true\n", is_plain ? 0 : 1);
  const Git anywhere = Git::in_folder(user_common_dir);
  const std::string user_config = (user_common_dir / "config").string();
  for (const std::string name : {"autocrlf", "eol", "fileMode"}) {
    ARBOR_TRY(const auto got, anywhere.try_run({"config", "--file", user_config, "--no-includes",
                                                "--get", "core." + name}));
    const std::string value(base::trim(got.standard_output));
    if (got.exit_code == 0 && is_plain_value(value))
      text += fmt::format("\t{} = {}\n", name, value);
  }
  if (!is_plain) text += fmt::format("[extensions]\n\tobjectFormat = {}\n", object_format);
  return text;
}

}  // namespace

Result<void> make_own_git(const fs::path& git_dir, const fs::path& user_common_dir,
                          const std::string& object_format) {
  std::error_code failed;
  for (const char* folder : {"objects/info", "objects/pack", "refs/heads", "info"}) {
    fs::create_directories(git_dir / folder, failed);
    if (failed)
      return base::fail(ErrorKind::kIo, fmt::format("cannot create '{}': {}",
                                                    (git_dir / folder).string(), failed.message()));
  }
  for (const char* name : {"commondir", "gitdir", "config.worktree", "worktrees", "hooks",
                           "info/attributes", "info/grafts", "info/sparse-checkout"})
    base::remove_tree(git_dir / name);
  ARBOR_TRY(const std::string config, config_text(user_common_dir, object_format));
  ARBOR_TRY_VOID(put(git_dir / "config", config));
  ARBOR_TRY_VOID(put(git_dir / "HEAD", "ref: refs/heads/arbor\n"));
  ARBOR_TRY_VOID(
      put(git_dir / "objects/info/alternates", quoted_for_git(user_common_dir / "objects") + "\n"));
  ARBOR_TRY_VOID(mirror(user_common_dir / "shallow", git_dir / "shallow"));
  return mirror(user_common_dir / "info/exclude", git_dir / "info/exclude");
}

}  // namespace arbor::workspace
