// SPDX-License-Identifier: Apache-2.0
#include "workspace/arbor_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr int kDepthOfGit = 3;  // objects/ab/NAME, refs/heads/NAME

std::unexpected<base::Error> refused(const fs::path& path, const std::string& why) {
  return base::fail(ErrorKind::kUsage, fmt::format("'{}' {}", base::printable(path.string()), why));
}

// In HEAD's tree or in the index: it came with the repository, or will go out with it.
Result<void> check_untracked(const fs::path& arbor_dir) {
  const fs::path program = arbor_dir.parent_path();
  const Git user = Git::in_folder(program);
  const std::string name = arbor_dir.filename().string();
  for (const std::vector<std::string>& question :
       {std::vector<std::string>{"ls-files", "-z", "--", name},
        std::vector<std::string>{"ls-tree", "-r", "-z", "--name-only", "HEAD", "--", name}}) {
    ARBOR_TRY(const auto answer, user.try_run(question));
    // No repository, or none with a commit: nothing is tracked there.
    if (answer.exit_code != 0 || answer.standard_output.empty()) continue;
    const std::string first = split_nul(answer.standard_output).front();
    return refused(program / first,
                   fmt::format("is tracked by the program's git repository, so it is not Arbor's "
                               "own and nothing in {} is used; run `git rm -r --cached {}`, commit "
                               "that, and move the folder away",
                               name, name));
  }
  return {};
}

// What Arbor writes in place would be written under the file's other name as well. A file that went
// between the two looks has no count.
Result<void> check_single_name(const fs::directory_entry& file) {
  std::error_code gone;
  const auto names = file.hard_link_count(gone);
  if (gone || names <= 1) return {};
  return refused(file.path(),
                 fmt::format("has {} names (hard links), and what Arbor writes there would appear "
                             "under all of them; replace it by a copy or remove it",
                             names));
}

// Entries of a folder and of the folders in it, depth levels down. What is looked at is the name
// alone, so nothing is opened that a link leads to.
Result<void> check_links(const fs::path& folder, int depth) {
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code gone;  // between the two looks: a process of the campaign removed it
    const auto status = it->symlink_status(gone);
    if (gone) continue;
    if (fs::is_symlink(status))
      return refused(it->path(),
                     "is a symbolic link, and Arbor's folder holds none of its own; remove it");
    // git gives a new object its name by a second link and replaces nothing below.
    if (fs::is_regular_file(status) && depth == kDepthOfGit) ARBOR_TRY_VOID(check_single_name(*it));
    if (fs::is_directory(status) && depth > 1) ARBOR_TRY_VOID(check_links(it->path(), depth - 1));
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    return base::fail(
        ErrorKind::kIo,
        fmt::format("cannot read '{}': {}", base::printable(folder.string()), failed.message()));
  return {};
}

Result<void> check_content(const fs::path& arbor_dir) {
  constexpr int kDepthOfOthers = 1;  // deeper lies what builds and launches wrote
  std::error_code failed;
  for (fs::directory_iterator it(arbor_dir, failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code gone;
    const auto status = it->symlink_status(gone);
    const std::string name = it->path().filename().string();
    if (gone) continue;
    if (fs::is_symlink(status))
      return refused(it->path(),
                     "is a symbolic link, and Arbor's folder holds none of its own; remove it");
    if (!fs::is_directory(status) && !fs::is_regular_file(status))
      return refused(it->path(), "is neither a file nor a folder; remove it");
    if (fs::is_regular_file(status)) ARBOR_TRY_VOID(check_single_name(*it));
    if (fs::is_directory(status) && name != "ccache")  // builds write to that one's top
      ARBOR_TRY_VOID(check_links(it->path(), name == "git" ? kDepthOfGit : kDepthOfOthers));
  }
  if (failed)
    return base::fail(
        ErrorKind::kIo,
        fmt::format("cannot read '{}': {}", base::printable(arbor_dir.string()), failed.message()));
  return {};
}

}  // namespace

Result<void> check_arbor_folder(const fs::path& arbor_dir) {
  struct stat status{};
  const bool is_there = ::lstat(arbor_dir.c_str(), &status) == 0;
  if (!is_there && errno != ENOENT)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot look at '{}': {}", base::printable(arbor_dir.string()),
                                  std::strerror(errno)));
  ARBOR_TRY_VOID(check_untracked(arbor_dir));
  if (!is_there) return {};
  if (S_ISLNK(status.st_mode))
    return refused(arbor_dir,
                   "is a symbolic link; Arbor writes and deletes only in a folder of its own: "
                   "remove the link");
  if (!S_ISDIR(status.st_mode))
    return refused(arbor_dir, "is no folder; move it away, as Arbor makes its own there");
  if (status.st_uid != ::geteuid())
    return refused(
        arbor_dir,
        fmt::format("belongs to user {}, and this is user {}; run Arbor as that user, or "
                    "move the folder away",
                    status.st_uid, ::geteuid()));
  return check_content(arbor_dir);
}

Result<void> make_arbor_folder(const fs::path& arbor_dir) {
  ARBOR_TRY_VOID(check_arbor_folder(arbor_dir));
  std::error_code failed;
  fs::create_directories(arbor_dir, failed);
  if (failed)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot create '{}': {}", base::printable(arbor_dir.string()),
                                  failed.message()));
  constexpr std::string_view kAll = "*\n";
  const auto present = base::read_file(arbor_dir / ".gitignore");
  if (present && *present == kAll) return {};
  return base::write_file_durable(arbor_dir / ".gitignore", kAll);
}

}  // namespace arbor::workspace
