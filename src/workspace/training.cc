// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/hash.h"
#include "base/text.h"
#include "workspace/artefacts.h"
#include "workspace/builder_state.h"

// Profile-guided builds: an instrumented build, a training run that leaves profile data, and the
// build that uses them. The data are kept as .arbor/profiles/HASH, named by their content.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

// Counting makes a program slower by some factor; that must not end its training.
constexpr double kTrainingSlowdown = 10;

Result<std::string> content_of(const fs::path& folder) {
  ARBOR_TRY(const TreeListing listing, list_tree(folder));
  base::Hasher hasher;
  for (const auto& [path, state] : listing) {
    ARBOR_TRY(const std::string bytes, base::read_file(folder / path));
    hasher.add(path).add(bytes);
  }
  return hasher.hex();
}

std::string cxx_of(const domain::Recipe& recipe) {
  std::string compiler;
  for (const auto& entry : recipe.entries)
    if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry)) compiler = choice->cxx;
  return compiler;
}

void set_profile(domain::Recipe& recipe, const std::string& object) {
  for (auto& entry : recipe.entries)
    if (auto* guided = std::get_if<domain::ProfileGuided>(&entry))
      if (guided->profile_object.empty()) guided->profile_object = object;
}

}  // namespace

fs::path Builder::State::profile_folder(const std::string& object) const {
  return setup.arbor_dir / "profiles" / fs::path(object).filename();
}

Result<Builder::State::Training> Builder::State::train(const BuiltTree& instrumented,
                                                       const domain::Recipe& recipe,
                                                       std::optional<double> longest_s,
                                                       std::stop_token stop) {
  const auto& bench = setup.manifest.bench;
  ARBOR_TRY(const auto scratch, base::ScratchDir::create(setup.arbor_dir / "tmp", "training-"));
  const fs::path data = scratch.path() / "data";
  std::error_code failed;
  fs::create_directories(data, failed);
  LaunchOrder order;
  order.tree = &instrumented;
  order.recipe = recipe;
  order.command = bench.train.empty() ? bench.command : bench.train;
  order.timeout_s = bench.timeout_s * kTrainingSlowdown;
  order.timeout_s = std::min(order.timeout_s, longest_s.value_or(order.timeout_s));
  ARBOR_TRY(auto request, launch_request(order));
  ShimFolders folders;
  folders.profile_folder = data;
  folders.is_profile_writable = true;
  for (auto& mount : shim_mounts(folders)) request.view.mounts.push_back(std::move(mount));
  ARBOR_TRY(const auto outcome, sandbox.launch(request, std::move(stop)));
  Training training{"", static_cast<double>(outcome.wall_ns) * 1e-9, outcome.is_timeout,
                    outcome.is_out_of_disk};
  if (outcome.is_timeout || outcome.is_out_of_disk) return training;
  ARBOR_TRY(const bool has_data, finish_profile(data, cxx_of(recipe)));
  if (!has_data) return training;
  ARBOR_TRY(training.object, content_of(data));
  const fs::path kept = profile_folder(training.object);
  fs::create_directories(kept.parent_path(), failed);
  fs::permissions(data, fs::perms(0755), failed);
  if (!fs::exists(kept, failed)) fs::rename(data, kept, failed);
  if (!fs::exists(kept))
    return base::fail(ErrorKind::kIo, fmt::format("cannot keep profile data in '{}': {}",
                                                  kept.string(), failed.message()));
  return training;
}

Result<BuildOutcome> Builder::State::train_and_build(const BuildOrder& order,
                                                     std::stop_token stop) {
  BuildOrder generating = order;
  generating.start_from = nullptr;  // objects without counters are of no use
  ARBOR_TRY(const std::string key, key_of(generating));
  ARBOR_TRY(BuildOutcome first,
            build_new(generating, fmt::format("{}-instrumented-{}", key, ++serial), stop));
  if (auto* failure = std::get_if<BuildFailure>(&first)) {
    failure->log = "profile-guided: the instrumented build failed\n" + failure->log;
    return first;
  }
  const BuiltTree& instrumented = std::get<BuiltTree>(first);
  // Three steps share the time that one build is given.
  std::optional<double> left_s = order.longest_s;
  if (left_s) left_s = std::max(0.0, *left_s - instrumented.build_s);
  const auto training = train(instrumented, order.recipe, left_s, stop);
  base::remove_tree(instrumented.folder.parent_path());
  if (!training) return std::unexpected(training.error());
  if (training->is_timeout)
    return BuildFailure{0, true, "the training run was stopped at its time limit", false};
  if (training->is_out_of_disk)
    return BuildFailure{0, false, "the training run was stopped: it had nearly filled the disk",
                        false};
  if (training->object.empty())
    return BuildFailure{0, false, "the training run left no profile data to build with", true};
  BuildOrder using_it = order;
  using_it.start_from = nullptr;
  if (left_s) using_it.longest_s = std::max(0.0, *left_s - training->wall_s);
  set_profile(using_it.recipe, training->object);
  return build(using_it, std::move(stop));
}

}  // namespace arbor::workspace
