// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "workspace/builder.h"

// Built trees on disk: trees/NAME holds tree/ (the files), commands.jsonl (as the shim recorded
// them) and entry.json, written last: without it the folder is no built tree. Entries are made
// beside and renamed into place, so an interrupted build never looks complete.
// docs/formats/files.md describes them.
namespace arbor::workspace {

class BuildCache {
 public:
  // tree_path: where trees are mounted. Removes what builds of processes that are gone left behind.
  BuildCache(std::filesystem::path trees_dir, std::filesystem::path tree_path);

  // Nothing, where there is no complete entry of that name whose artefacts are as they were built.
  bool has(const std::string& name) const;  // whole or damaged
  std::optional<BuiltTree> find(const std::string& name) const;

  // A new folder for one build, on the disk of the entries; gone at its end if not stored.
  base::Result<base::ScratchDir> begin() const;
  // Moves a finished build into place. An entry of that name that is there already wins.
  base::Result<BuiltTree> store(const std::string& name, const std::filesystem::path& building,
                                const BuiltTree& tree, bool has_debug_info) const;

  // The entry that a tree's folder belongs to; for incremental builds.
  struct Origin {
    std::filesystem::path folder;
    bool has_debug_info = false;
  };
  std::optional<Origin> origin_of(const BuiltTree& tree) const;

  void discard(const BuiltTree& tree) const;

  // Removes entries but the named and the most recent ones; nothing that is no entry, and no link.
  void keep_only(const std::vector<std::filesystem::path>& folders) const;
  bool contains(const std::string& name) const;

 private:
  std::filesystem::path trees_dir_, tree_path_;
};

// The last command for each set of outputs; an incremental build records only what it ran again.
std::vector<CompileCommand> newest_commands(std::vector<CompileCommand> commands);

inline constexpr const char* kEntryFile = "entry.json";
inline constexpr const char* kCommandsFile = "commands.jsonl";
inline constexpr const char* kTreeFolder = "tree";

}  // namespace arbor::workspace
