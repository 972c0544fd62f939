// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "workspace/artefacts.h"
#include "workspace/build_cache.h"
#include "workspace/builder.h"

namespace arbor::workspace {

// One build under way in a folder of its own: the tree before it and what it left after.
class Building {
 public:
  Building(const BuildOrder& order, const Repository& repository, const domain::Manifest& manifest,
           std::filesystem::path folder)
      : order_(order), repository_(repository), manifest_(manifest), folder_(std::move(folder)) {}

  std::filesystem::path tree() const { return folder_ / kTreeFolder; }
  std::filesystem::path record() const { return folder_ / "record"; }

  // A fresh checkout, or a copy of the tree to start from with the files that differ replaced.
  base::Result<void> lay_out(const std::optional<BuildCache::Origin>& origin);

  // After the build command: what it ran and what it wrote. A failure is the candidate's.
  // source_tree: what stands for the artefacts where nothing is built.
  base::Result<BuildOutcome> take_in(const std::string& source_tree);

 private:
  ArtefactRules rules_for(const TreeListing& after) const;

  const BuildOrder& order_;
  const Repository& repository_;
  const domain::Manifest& manifest_;
  std::filesystem::path folder_;
  TreeListing before_;
  std::string earlier_;                  // recorded commands of the tree it started from
  std::vector<std::string> candidates_;  // artefacts of the tree it started from
};

// Created where missing and readable for the sandbox's user, whatever the umask is.
base::Result<void> make_open_folder(const std::filesystem::path& folder);

}  // namespace arbor::workspace
