// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
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

bool is_machine_code(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char start[8] = {};
  stream.read(start, sizeof start);
  const std::string_view bytes(start, static_cast<std::size_t>(stream.gcount()));
  return bytes.starts_with(
             "\x7f"
             "ELF") ||
         bytes == "!<arch>\n";
}

void keep_in(std::vector<std::string>& files, const std::vector<std::string>& sorted_others) {
  std::erase_if(files, [&](const std::string& file) {
    return !std::ranges::binary_search(sorted_others, file);
  });
}

void remove_from(std::vector<std::string>& files, const std::vector<std::string>& sorted_others) {
  std::erase_if(files, [&](const std::string& file) {
    return std::ranges::binary_search(sorted_others, file);
  });
}

}  // namespace

std::vector<std::string> Builder::State::rooted(const std::vector<std::string>& globs) const {
  std::vector<std::string> all;
  for (const auto& glob : globs)
    all.push_back(rooted_glob(repository.program_folder().string(), glob));
  return all;
}

// A program that the build made is the judge's only where the manifest says its very path: a
// pattern like tests/** matches test programs as well, and those hold what is to be judged.
Result<HarnessFiles> Builder::State::judges_harness(const BuiltTree& judge,
                                                    const std::vector<std::string>& globs) const {
  HarnessFiles files = harness_files(judge.folder, globs);
  std::vector<std::string> built;
  for (const auto& file : files.mounts)
    if (std::ranges::find(globs, file) == globs.end() && is_machine_code(judge.folder / file))
      built.push_back(file);
  if (built.empty()) return files;
  ARBOR_TRY(const auto checked_out,
            repository.files_as_checked_out(judge.commit, judge.folder, built));
  remove_from(built, checked_out);
  remove_from(files.mounts, built);
  return files;
}

// Only what the build left as it was checked out: a committed program that it overwrites is no
// judge but what is judged.
Result<HarnessFiles> Builder::State::named_files(const BuiltTree& judge, const std::string& command,
                                                 const HarnessFiles& harness) const {
  const auto globs = rooted(judging_files(setup.manifest, command, is_its_source(judge)));
  HarnessFiles named;
  std::ranges::set_difference(harness_files(judge.folder, globs).all, harness.all,
                              std::back_inserter(named.all));
  ARBOR_TRY(const auto checked_out,
            repository.files_as_checked_out(judge.commit, judge.folder, named.all));
  keep_in(named.all, checked_out);
  named.mounts = named.all;
  return named;
}

Result<Builder::State::JudgesFiles> Builder::State::judges_files(const LaunchOrder& order) {
  std::string key = order.judge->folder.string() + '\0' + order.command;
  for (const auto& glob : order.harness) key += '\0' + glob;
  const std::lock_guard lock(mutex_);
  if (const auto known = judges_.find(key); known != judges_.end()) return known->second;
  const fs::path& folder = order.judge->folder;
  JudgesFiles files;
  ARBOR_TRY(files.harness, judges_harness(*order.judge, rooted(order.harness)));
  ARBOR_TRY(files.named, named_files(*order.judge, order.command, files.harness));
  for (auto* each : {&files.harness, &files.named})
    each->mounts = folded(folder, std::move(each->mounts));
  return judges_[key] = std::move(files);
}

const std::vector<std::string>& Builder::State::strangers_in(const BuiltTree& tree,
                                                             const HarnessFiles& harness,
                                                             const LaunchOrder& order) {
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
  ARBOR_TRY(const JudgesFiles files, judges_files(order));
  for (const auto* each : {&files.harness, &files.named}) {
    ARBOR_TRY(const auto mounts, harness_mounts(*each, order.judge->folder, order.tree->folder,
                                                repository.toplevel()));
    part.mounts.insert(part.mounts.end(), mounts.begin(), mounts.end());
  }
  if (order.tree->folder != order.judge->folder && !order.harness.empty())
    part.removed = strangers_in(*order.tree, files.harness, order);
  return part;
}

// Large files are not read to their end: what prints a figure holds its name near nothing else.
Result<bool> Builder::judge_mentions(const LaunchOrder& order, const std::string& word) const {
  constexpr std::size_t kMostBytes = 64UL << 20;
  if (order.command.contains(word)) return true;
  ARBOR_TRY(const auto files, state_->judges_files(order));
  for (const auto* each : {&files.harness, &files.named})
    for (const auto& path : each->all) {
      const auto bytes = base::read_file(order.judge->folder / path, kMostBytes);
      if (bytes && bytes->contains(word)) return true;
    }
  return false;
}

}  // namespace arbor::workspace
