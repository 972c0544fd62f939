// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "domain/manifest.h"

namespace arbor::workspace {

// The user's repository, read only, and Arbor's own bare one beside it (.arbor/git, which borrows
// the user's objects): every source state of a campaign is a commit there. git runs with hooks,
// filters, fsmonitor, attributes and user configuration off.
class Repository {
 public:
  // kUsage where program_root is no folder, in no work tree of git, or has no commit yet; the
  // message says what to run. Nothing is written.
  static base::Result<void> check_program(const std::filesystem::path& program_root);
  // The same first, and where arbor_dir is not Arbor's own (arbor_folder.h). arbor_dir is created.
  static base::Result<Repository> open(const std::filesystem::path& program_root,
                                       const std::filesystem::path& arbor_dir);

  const std::filesystem::path& toplevel() const { return toplevel_; }  // where trees are mounted
  // The program's folder within the repository; empty when it is the top.
  const std::filesystem::path& program_folder() const { return program_folder_; }

  // HEAD, or with include_dirty a snapshot commit of the work tree (untracked, not ignored files
  // too) made without touching index or branches.
  base::Result<std::string> baseline_commit(bool include_dirty) const;
  base::Result<std::vector<std::string>> dirty_files() const;

  // Applies a unified diff to a commit and commits the result. Its paths are those of the
  // repository, or, where none of them is there, of the program's folder. What leaves the tree,
  // touches what [edit], the harness or the manifest forbid, or is no plain text change is kUsage
  // (a refused patch, message names file and rule); a hunk that does not match is kUsage too.
  struct PatchPolicy {
    domain::EditSection edit;
    std::vector<std::string> protected_globs;  // check and bench harness, golden data, manifest
  };
  struct AppliedPatch {
    std::string commit;
    std::vector<std::string> files;
  };
  base::Result<AppliedPatch> apply(const std::string& parent_commit, const std::string& diff,
                                   const std::string& message, const PatchPolicy& policy) const;

  // The tree of a commit as plain files with submodules, and a synthetic one-commit .git of fixed
  // date, so that git describe says the same in every arm. folder must not exist yet.
  base::Result<void> checkout(const std::string& commit, const std::filesystem::path& folder) const;
  // Moves an already checked-out tree to another commit, touching only the files that differ, so
  // that an incremental build rebuilds just those.
  base::Result<void> move_checkout(const std::filesystem::path& folder,
                                   const std::string& from_commit,
                                   const std::string& to_commit) const;

  // Those of the paths that a commit holds and a folder still has with the same content; sorted.
  base::Result<std::vector<std::string>> files_as_checked_out(const std::string& commit,
                                                              const std::filesystem::path& folder,
                                                              std::vector<std::string> paths) const;

  base::Result<std::string> diff(const std::string& from_commit,
                                 const std::string& to_commit) const;
  // What a revision of the user's repository (branch, tag, short name) did since it left HEAD: the
  // difference from their merge base. kUsage: no such revision, no common history, no difference.
  base::Result<std::string> diff_since_head(const std::string& revision) const;
  base::Result<std::string> tree_id(const std::string& commit) const;
  base::Result<std::string> parent_of(const std::string& commit) const;  // its first parent
  base::Result<std::string> read_file(const std::string& commit, const std::string& path) const;

  // The same tree once more, on another parent and under another message.
  base::Result<std::string> recommit(const std::string& commit, const std::string& parent,
                                     const std::string& message) const;
  // kUsage for what no branch may be called. Asks no repository.
  static base::Result<void> check_branch_name(const std::string& branch);
  // The user's own repository gains exactly one branch; kUsage if it exists and is_forced is not
  // set.
  base::Result<void> export_branch(const std::string& branch, const std::string& tip_commit,
                                   bool is_forced) const;

 private:
  Repository() = default;
  base::Result<std::string> snapshot_tree() const;
  // The failure of something that needed the commit: plain words where the commit is gone.
  std::unexpected<base::Error> failed_at(const std::string& commit, base::Error error) const;
  base::Result<std::string> commit_tree(const std::string& tree, const std::string& parent,
                                        const std::string& message) const;
  // The nearest first-parent ancestor that Arbor did not make: equal for all arms of a campaign.
  base::Result<std::string> anchor_of(const std::string& commit) const;
  base::Result<void> put_synthetic_git(const std::string& commit,
                                       const std::filesystem::path& folder) const;
  base::Result<void> make_synthetic_git(const std::string& anchor,
                                        const std::filesystem::path& folder) const;

  std::filesystem::path toplevel_, program_folder_;
  std::filesystem::path git_dir_;                         // Arbor's own: .arbor/git
  std::filesystem::path scratch_dir_;                     // temporary indexes: .arbor/tmp
  std::filesystem::path user_git_dir_, user_common_dir_;  // differ in a linked worktree of git
};

}  // namespace arbor::workspace
