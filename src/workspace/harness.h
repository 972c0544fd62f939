// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "ports/sandbox/sandbox.h"

namespace arbor::workspace {

// The judge's files in its built tree: paths from the repository's root, sorted.
struct HarnessFiles {
  std::vector<std::string> mounts;  // files, those behind links included
  std::vector<std::string> links;   // symbolic links, compared instead of mounted
  std::vector<std::string> all;     // every file and link that matches
};
HarnessFiles harness_files(const std::filesystem::path& judge_tree,
                           const std::vector<std::string>& rooted_globs);

// The files as mounts: where they are a great many, a folder stands for all that lies in it.
std::vector<std::string> folded(const std::filesystem::path& tree, std::vector<std::string> files);

// kUsage where a link, or a file for a folder, stands on the way to a path of a built tree, or at
// it something that is neither absent nor of the kind that is to be mounted there.
enum class PlaceFor { kFile, kFolder };
base::Result<void> check_place(const std::filesystem::path& tree, const std::filesystem::path& path,
                               PlaceFor kind);

// Read-only mounts of the judge's files over a candidate's. kUsage where the candidate's build put
// a link or a folder where a harness file belongs: it cheats, or it is broken.
base::Result<std::vector<ports::Mount>> harness_mounts(const HarnessFiles& files,
                                                       const std::filesystem::path& judge_tree,
                                                       const std::filesystem::path& candidate_tree,
                                                       const std::filesystem::path& tree_path);

// What matches in a candidate's tree and the judge does not have: a module that shadows another, a
// configuration that a test runner picks up.
std::vector<std::string> strangers(const HarnessFiles& judge, const HarnessFiles& candidate);

// Of what the judge is made of, read from the disk now: path, mode and content of every file that
// matches, and the targets of links. A file that comes, goes or changes gives another hash.
base::Result<std::string> harness_hash(const std::filesystem::path& judge_tree,
                                       const std::vector<std::string>& rooted_globs);

}  // namespace arbor::workspace
