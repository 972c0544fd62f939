// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "domain/change.h"
#include "domain/manifest.h"
#include "workspace/object_files.h"
#include "workspace/repository.h"

// What a campaign found, in forms that work without Arbor.
namespace arbor::workspace {

// One kept source commit.
struct SeriesCommit {
  std::string commit;
  std::string summary;   // first line of the message
  std::string evidence;  // body: the measured gain with its interval
};

struct SeriesOrder {
  std::vector<SeriesCommit>
      commits;  // from the oldest to the newest, each a child of the one before
  domain::Recipe recipe;
  std::vector<domain::Knob> knobs;  // of the manifest: knobs that are variables or macros
  std::string build_command;        // of the manifest
  std::string program_folder;       // from the repository's root; empty = the root
  std::vector<ObjectFile> objects;  // of the baseline's build
};

// Writes to folder, which is created: NNNN-summary.patch for `git am`, recipe.json, environment.sh,
// CMakePresets.json with arbor.cmake or flags.mk, and README. Returns the written files, in that
// order; forms with nothing to say are left out.
base::Result<std::vector<std::filesystem::path>> export_series(const Repository& repository,
                                                               const SeriesOrder& order,
                                                               const std::filesystem::path& folder);

// Empty when the recipe has nothing of the kind.
std::string environment_file(const SeriesOrder& order);

}  // namespace arbor::workspace
