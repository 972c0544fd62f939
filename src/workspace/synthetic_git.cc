// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/copy_tree.h"
#include "workspace/git.h"
#include "workspace/repository.h"

// The .git of a checked-out tree: one commit without history, equal in every arm of a campaign, so
// that a version that the build takes from git does not tell arms apart. Its commit holds the files
// of the campaign's own starting point, not the arm's; every entry of its index is marked as
// assumed unchanged, so `git describe --dirty` is clean in every arm. The nearest tag is kept by
// name; the distance to it is not, as there is no history to count.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::Result;

namespace {

// Annotated tags first, as `git describe` itself prefers them.
Result<void> put_tag(const Git& user, const Git& synthetic, const std::string& anchor,
                     const std::string& commit) {
  for (const bool is_annotated : {true, false}) {
    std::vector<std::string> question = {"describe", "--abbrev=0", anchor};
    if (!is_annotated) question.insert(question.begin() + 1, "--tags");
    ARBOR_TRY(const auto answer, user.try_run(question));
    const std::string tag(base::trim(answer.standard_output));
    if (answer.exit_code != 0 || tag.empty()) continue;
    if (is_annotated) {
      ARBOR_TRY_VOID(
          synthetic.run({"tag", "--annotate", "--no-sign", "--message=" + tag, "--", tag, commit}));
    } else {
      ARBOR_TRY_VOID(synthetic.run({"update-ref", "refs/tags/" + tag, commit}));
    }
    return {};
  }
  return {};
}

Result<void> put_index(const Git& synthetic, const std::string& commit) {
  ARBOR_TRY_VOID(synthetic.run({"read-tree", commit}));
  ARBOR_TRY(const std::string files, synthetic.run({"ls-files", "-z"}));
  ARBOR_TRY_VOID(synthetic.run({"update-index", "--assume-unchanged", "-z", "--stdin"}, files));
  return {};
}

}  // namespace

Result<std::string> Repository::anchor_of(const std::string& commit) const {
  constexpr const char* kMostCommits = "--max-count=10000";  // far more than a campaign keeps
  ARBOR_TRY(const std::string log,
            Git(git_dir_).run({"log", "--first-parent", kMostCommits, "--format=%H %ae", commit}));
  std::string anchor = commit;
  for (const auto line : base::lines_of(log)) {
    anchor = line.substr(0, line.find(' '));
    if (!line.ends_with(" arbor@localhost")) break;
  }
  return anchor;
}

Result<void> Repository::put_synthetic_git(const std::string& commit,
                                           const fs::path& folder) const {
  ARBOR_TRY(const std::string anchor, anchor_of(commit));
  const fs::path ready = git_dir_.parent_path() / "synthetic" / anchor;
  std::error_code failed;
  if (!fs::exists(ready, failed)) {
    ARBOR_TRY(const auto scratch, base::ScratchDir::create(scratch_dir_, "synthetic-"));
    ARBOR_TRY_VOID(make_synthetic_git(anchor, scratch.path()));
    fs::create_directories(ready.parent_path(), failed);
    // Another thread may have been faster; its result is the same.
    fs::rename(scratch.path() / ".git", ready, failed);
    if (failed && !fs::exists(ready))
      return base::fail(base::ErrorKind::kIo,
                        fmt::format("cannot create '{}': {}", ready.string(), failed.message()));
  }
  base::remove_tree(folder / ".git");
  return copy_tree(ready, folder / ".git");
}

Result<void> Repository::make_synthetic_git(const std::string& anchor,
                                            const fs::path& folder) const {
  const Git own(git_dir_);
  ARBOR_TRY(const std::string format, own.line({"rev-parse", "--show-object-format"}));
  ARBOR_TRY(const std::string date, own.line({"show", "-s", "--format=%ct", anchor}));
  ARBOR_TRY(const std::string tree, tree_id(anchor));
  const std::string fixed_date = date + " +0000";
  ARBOR_TRY(const std::string commit,
            own.with_date(fixed_date).line({"commit-tree", tree}, "State under optimisation\n"));
  const Git synthetic = Git(folder / ".git").with_work_tree(folder).with_date(fixed_date);
  ARBOR_TRY_VOID(Git(folder / ".git")
                     .with_work_tree(folder)
                     .run({"init", "--quiet", "--template=", "--initial-branch=main",
                           "--object-format=" + format}));
  ARBOR_TRY_VOID(own.run({"pack-objects", "--revs", "--quiet", "--threads=1",
                          (folder / ".git/objects/pack/pack").string()},
                         commit + "\n"));
  ARBOR_TRY_VOID(synthetic.run({"update-ref", "refs/heads/main", commit}));
  ARBOR_TRY_VOID(put_tag(Git(user_common_dir_), synthetic, anchor, commit));
  // The same folder serves wherever the tree is mounted.
  ARBOR_TRY_VOID(synthetic.try_run({"config", "--unset-all", "core.worktree"}));
  return put_index(synthetic, commit);
}

}  // namespace arbor::workspace
