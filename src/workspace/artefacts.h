// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "workspace/builder.h"

// What a build wrote, and which of it is under test. A build writes whatever it likes: nothing here
// follows a link out of the tree or opens what is no regular file.
namespace arbor::workspace {

struct FileState {
  std::uintmax_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileState&) const = default;
};
using TreeListing = std::map<std::string, FileState>;  // regular files, without .git

base::Result<TreeListing> list_tree(const std::filesystem::path& tree);
std::vector<std::string> changed_files(const TreeListing& before, const TreeListing& after);

struct ArtefactRules {
  std::vector<std::string> globs;  // from the repository's root; empty = found among candidates
  std::vector<std::string> candidates;  // what the build wrote, and the artefacts it started from
};

// globs: what they match. Else the executables and shared libraries among the candidates, and all
// candidates where there are none. Sorted by path. Probes of configure and CMake are left out.
base::Result<std::vector<Artefact>> find_artefacts(const std::filesystem::path& tree,
                                                   const TreeListing& listing,
                                                   const ArtefactRules& rules);

base::Result<Artefact> artefact_at(const std::filesystem::path& tree, const std::string& path);

// Content hash of a regular file, read piece by piece; no link is followed.
base::Result<std::string> file_hash(const std::filesystem::path& file);

}  // namespace arbor::workspace
