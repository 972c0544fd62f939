// SPDX-License-Identifier: Apache-2.0
#include "workspace/build_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "base/owner.h"
#include "base/text.h"
#include "workspace/artefacts.h"
#include "workspace/recipe_json.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Json;
using base::Result;

namespace {

constexpr std::string_view kBuilding = "building-";
constexpr std::size_t kMostRecent = 3;  // besides the named ones: a retry soon after finds its tree

Json entry_json(const BuiltTree& tree, bool has_debug_info) {
  Json artefacts = Json::array();
  for (const auto& artefact : tree.artefacts)
    artefacts.push_back({{"path", artefact.path}, {"hash", artefact.hash}});
  return {{"schema", 1},
          {"commit", tree.commit},
          {"recipe", recipe_to_json(tree.recipe)},
          {"artefacts", std::move(artefacts)},
          {"build_s", tree.build_s},
          {"has_debug_info", has_debug_info},
          {"has_unrecorded_compiles", tree.has_unrecorded_compiles}};
}

Result<BuiltTree> tree_from(const Json& json, const fs::path& folder) {
  BuiltTree tree;
  std::string recipe;
  try {
    json.at("commit").get_to(tree.commit);
    json.at("recipe").get_to(recipe);
    json.at("build_s").get_to(tree.build_s);
    json.at("has_unrecorded_compiles").get_to(tree.has_unrecorded_compiles);
    for (const auto& each : json.at("artefacts"))
      tree.artefacts.push_back({each.at("path"), each.at("hash")});
  } catch (const nlohmann::json::exception& error) {
    return base::fail(ErrorKind::kCorrupt, fmt::format("{}: {}", folder.string(), error.what()));
  }
  ARBOR_TRY(tree.recipe, recipe_from_json(recipe, folder.string()));
  tree.folder = folder / kTreeFolder;
  return tree;
}

Result<Json> read_entry(const fs::path& folder) {
  ARBOR_TRY(const std::string text, base::read_file(folder / kEntryFile));
  return base::parse_json(text, (folder / kEntryFile).string());
}

bool is_as_built(const BuiltTree& tree) {
  return std::ranges::all_of(tree.artefacts, [&](const Artefact& built) {
    if (built.path.empty()) return true;  // the source tree, which the name stands for
    const auto now = artefact_at(tree.folder, built.path);
    return now && *now == built;
  });
}

// A name that Builder gives: 32 hexadecimal digits, and a purpose where the cache was bypassed.
bool is_entry_name(std::string_view name) {
  constexpr std::size_t kDigits = 32;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() >= kDigits && std::ranges::all_of(name.substr(0, kDigits), is_digit) &&
         (name.size() == kDigits || name[kDigits] == '-');
}

// Made by a build, complete or not, or what a removal that was cut short left of one.
bool is_entry(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(fs::symlink_status(folder, failed))) return false;
  if (!is_entry_name(folder.filename().string())) return false;
  if (fs::is_empty(folder, failed)) return true;
  for (const char* part : {kEntryFile, kCommandsFile, kTreeFolder})
    if (fs::exists(fs::symlink_status(folder / part, failed))) return true;
  return false;
}

std::vector<fs::path> entries_in(const fs::path& parent) {
  std::vector<fs::path> entries;
  std::error_code failed;
  if (!fs::is_directory(fs::symlink_status(parent, failed))) return entries;
  for (fs::directory_iterator it(parent, failed), end; !failed && it != end; it.increment(failed))
    if (is_entry(it->path())) entries.push_back(it->path());
  return entries;
}

}  // namespace

BuildCache::BuildCache(fs::path trees_dir, fs::path tree_path)
    : trees_dir_(std::move(trees_dir)), tree_path_(std::move(tree_path)) {
  base::sweep(trees_dir_, kBuilding);
}

bool BuildCache::contains(const std::string& name) const {
  std::error_code failed;
  return fs::exists(trees_dir_ / name, failed);
}

bool BuildCache::has(const std::string& name) const {
  std::error_code failed;
  return fs::exists(trees_dir_ / name, failed);
}

std::optional<BuiltTree> BuildCache::find(const std::string& name) const {
  const fs::path folder = trees_dir_ / name;
  const auto entry = read_entry(folder);
  if (!entry) return std::nullopt;
  auto tree = tree_from(*entry, folder);
  if (!tree || !is_as_built(*tree)) return std::nullopt;
  if (const auto lines = base::read_file(folder / kCommandsFile)) {
    auto commands = parse_commands(*lines, tree_path_);
    if (!commands) return std::nullopt;
    tree->commands = newest_commands(std::move(*commands));
  }
  tree->is_from_cache = true;
  return std::move(*tree);
}

Result<base::ScratchDir> BuildCache::begin() const {
  return base::ScratchDir::create(trees_dir_, kBuilding);
}

Result<BuiltTree> BuildCache::store(const std::string& name, const fs::path& building,
                                    const BuiltTree& tree, bool has_debug_info) const {
  const fs::path target = trees_dir_ / name;
  ARBOR_TRY_VOID(base::write_file_durable(building / kEntryFile,
                                          base::dump_json(entry_json(tree, has_debug_info), 1)));
  std::error_code failed;
  if (fs::exists(target, failed)) {
    // Another build of the same was faster, or what is there is damaged.
    if (auto found = find(name)) return std::move(*found);
    base::remove_tree(target);
  }
  fs::rename(building, target, failed);
  if (failed) {
    if (auto found = find(name)) return std::move(*found);
    return base::fail(ErrorKind::kIo, fmt::format("cannot move the built tree to '{}': {}",
                                                  target.string(), failed.message()));
  }
  BuiltTree stored = tree;
  stored.folder = target / kTreeFolder;
  return stored;
}

std::optional<BuildCache::Origin> BuildCache::origin_of(const BuiltTree& tree) const {
  const fs::path folder = tree.folder.parent_path();
  const auto entry = read_entry(folder);
  if (!entry || !entry->is_object()) return std::nullopt;
  const auto found = entry->find("has_debug_info");
  if (found == entry->end() || !found->is_boolean()) return std::nullopt;
  return Origin{folder, found->get<bool>()};
}

void BuildCache::discard(const BuiltTree& tree) const {
  const fs::path folder = tree.folder.parent_path();
  if (folder.parent_path() == trees_dir_) base::remove_tree(folder);
}

void BuildCache::keep_only(const std::vector<fs::path>& folders) const {
  std::set<fs::path> named;
  for (const auto& folder : folders) named.insert(folder.parent_path().lexically_normal());
  std::vector<std::pair<fs::file_time_type, fs::path>> others;
  for (const auto& folder : entries_in(trees_dir_)) {
    std::error_code failed;
    const auto time = fs::last_write_time(folder / kEntryFile, failed);
    if (failed)
      base::remove_tree(folder);
    else if (!named.contains(folder.lexically_normal()))
      others.emplace_back(time, folder);
  }
  std::ranges::sort(others, std::greater<>());
  for (std::size_t i = kMostRecent; i < others.size(); ++i) base::remove_tree(others[i].second);
}

std::vector<CompileCommand> newest_commands(std::vector<CompileCommand> commands) {
  std::set<std::vector<std::string>> seen;
  std::vector<CompileCommand> newest;
  for (auto it = commands.rbegin(); it != commands.rend(); ++it)
    if (it->outputs.empty() || seen.insert(it->outputs).second) newest.push_back(std::move(*it));
  std::ranges::reverse(newest);
  return newest;
}

}  // namespace arbor::workspace
