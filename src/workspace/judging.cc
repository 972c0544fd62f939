// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "base/files.h"
#include "workspace/builder_state.h"
#include "workspace/glob.h"
#include "workspace/patch_policy.h"

// What of the judge a launch on a candidate's tree sees: the files of [check] and [bench] harness,
// and the source files that the command names, both as the baseline's build left them.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::Result;

namespace {

// Names that stand for any folder may match by the dozen, and each mount costs every launch.
constexpr std::size_t kMostNamed = 64;

}  // namespace

std::vector<std::string> Builder::State::rooted(const std::vector<std::string>& globs) const {
  std::vector<std::string> all;
  for (const auto& glob : globs)
    all.push_back(rooted_glob(repository.program_folder().string(), glob));
  return all;
}

// Only what the build left as it was checked out: a committed program that it overwrites is no
// judge but what is judged.
HarnessFiles Builder::State::named_files(const BuiltTree& judge, const std::string& command,
                                         const HarnessFiles& harness) const {
  const auto globs = rooted(judging_files(setup.manifest, command, is_its_source(judge)));
  HarnessFiles named;
  std::ranges::set_difference(harness_files(judge.folder, globs).all, harness.all,
                              std::back_inserter(named.all));
  std::erase_if(named.all, [&](const std::string& path) {
    const auto checked_out = repository.read_file(judge.commit, path);
    const auto on_disk = base::read_file(judge.folder / path);
    return !checked_out || !on_disk || *checked_out != *on_disk;
  });
  if (named.all.size() > kMostNamed)
    std::erase_if(named.all, [&](const std::string& path) {
      return std::ranges::find(globs, path) == globs.end();
    });
  named.mounts = named.all;
  return named;
}

const Builder::State::JudgesFiles& Builder::State::judges_files(const LaunchOrder& order) {
  std::string key = order.judge->folder.string() + '\0' + order.command;
  for (const auto& glob : order.harness) key += '\0' + glob;
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = judges_.try_emplace(key);
  if (!is_new) return known->second;
  known->second.harness = harness_files(order.judge->folder, rooted(order.harness));
  known->second.named = named_files(*order.judge, order.command, known->second.harness);
  return known->second;
}

const std::vector<std::string>& Builder::State::strangers_in(const BuiltTree& tree,
                                                             const LaunchOrder& order) {
  const HarnessFiles& harness = judges_files(order).harness;
  std::string key = tree.folder.string();
  for (const auto& glob : order.harness) key += '\0' + glob;
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = strangers_.try_emplace(key);
  if (is_new) known->second = strangers(harness, harness_files(tree.folder, rooted(order.harness)));
  return known->second;
}

Result<Builder::State::JudgesPart> Builder::State::judges_part(const LaunchOrder& order) {
  JudgesPart part;
  if (order.judge == nullptr) return part;
  const JudgesFiles& files = judges_files(order);
  for (const auto* each : {&files.harness, &files.named}) {
    ARBOR_TRY(const auto mounts, harness_mounts(*each, order.judge->folder, order.tree->folder,
                                                repository.toplevel()));
    part.mounts.insert(part.mounts.end(), mounts.begin(), mounts.end());
  }
  if (order.tree->folder != order.judge->folder && !order.harness.empty())
    part.removed = strangers_in(*order.tree, order);
  return part;
}

}  // namespace arbor::workspace
