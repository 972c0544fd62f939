// SPDX-License-Identifier: Apache-2.0
#include "workspace/building.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "workspace/copy_tree.h"
#include "workspace/glob.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr std::uintmax_t kMaxRecordBytes = 256ULL << 20;

// A file that a build wrote to, if it is one.
std::string record_of(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) return {};
  const auto text = base::read_file(file, kMaxRecordBytes);
  return text ? *text : "";
}

std::vector<std::string> paths_of(const std::vector<Artefact>& artefacts) {
  std::vector<std::string> paths;
  for (const auto& artefact : artefacts) paths.push_back(artefact.path);
  return paths;
}

// Every copy, listing and removal of a tree costs as much as its folders are deep, so one candidate
// could eat up a campaign's time.
Result<std::string> depth_problem(const fs::path& tree) {
  constexpr int kMaxDepth = 256;
  std::error_code failed;
  auto it =
      fs::recursive_directory_iterator(tree, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && it != fs::end(it); it.increment(failed)) {
    if (it.depth() < kMaxDepth) continue;
    const fs::path path = it->path().lexically_relative(tree);
    return fmt::format("the build nested folders more than {} deep, below '{}'", kMaxDepth,
                       base::printable(path.begin()->string()));
  }
  if (failed)
    return base::fail(ErrorKind::kIo,
                      fmt::format("cannot list '{}': {}", tree.string(), failed.message()));
  return std::string();
}

}  // namespace

Result<void> make_open_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) fs::permissions(folder, fs::perms(0755), failed);
  if (!failed) return {};
  return base::fail(ErrorKind::kIo,
                    fmt::format("cannot create '{}': {}", folder.string(), failed.message()));
}

Result<void> Building::lay_out(const std::optional<BuildCache::Origin>& origin) {
  if (origin) {
    ARBOR_TRY_VOID(copy_tree(order_.start_from->folder, tree()));
    ARBOR_TRY_VOID(repository_.move_checkout(tree(), order_.start_from->commit, order_.commit));
    earlier_ = record_of(origin->folder / kCommandsFile);
    candidates_ = paths_of(order_.start_from->artefacts);
    // The sandbox hands a tree to its user only if the top is not the user's yet.
    if (::lchown(tree().c_str(), ::geteuid(), ::getegid()) != 0)
      return base::fail(ErrorKind::kIo, fmt::format("cannot own '{}'", tree().string()));
  } else {
    ARBOR_TRY_VOID(repository_.checkout(order_.commit, tree()));
  }
  ARBOR_TRY_VOID(make_open_folder(record()));
  ARBOR_TRY_VOID(make_open_folder(tree() / repository_.program_folder()));
  ARBOR_TRY(before_, list_tree(tree()));
  return {};
}

Result<BuildOutcome> Building::take_in(const std::string& source_tree) {
  BuiltTree built;
  built.commit = order_.commit;
  built.recipe = order_.recipe;
  ARBOR_TRY(const std::string too_deep, depth_problem(tree()));
  if (!too_deep.empty()) return BuildFailure{0, false, too_deep};
  const std::string lines = earlier_ + record_of(record() / "commands.jsonl");
  auto commands = parse_commands(lines, repository_.toplevel());
  if (!commands)
    return BuildFailure{
        0, false,
        "the record of compile commands was written to by the build: " + commands.error().message};
  built.commands = newest_commands(std::move(*commands));
  ARBOR_TRY_VOID(base::write_file_durable(folder_ / kCommandsFile, lines));
  ARBOR_TRY(const TreeListing after, list_tree(tree()));
  built.has_unrecorded_compiles =
      has_unrecorded_compiles(built.commands, changed_files(before_, after));
  ARBOR_TRY(built.artefacts, find_artefacts(tree(), after, rules_for(after)));
  if (built.artefacts.empty() && !manifest_.build.artefacts.empty())
    return BuildFailure{0, false,
                        "the build succeeded, but wrote no file that [build] artefacts "
                        "names: " +
                            base::join(manifest_.build.artefacts, ", ")};
  // Nothing is built at all: the program is its source.
  if (built.artefacts.empty()) built.artefacts.push_back({"", source_tree});
  return built;
}

ArtefactRules Building::rules_for(const TreeListing& after) const {
  const std::string folder = repository_.program_folder().string();
  ArtefactRules rules{{}, candidates_};
  for (const auto& glob : manifest_.build.artefacts)
    rules.globs.push_back(rooted_glob(folder, glob));
  std::vector<std::string> inputs;
  for (const auto& input : manifest_.program.inputs) inputs.push_back(rooted_glob(folder, input));
  for (const auto& path : changed_files(before_, after))
    if (!any_glob_matches(inputs, path)) rules.candidates.push_back(path);
  return rules;
}

}  // namespace arbor::workspace
