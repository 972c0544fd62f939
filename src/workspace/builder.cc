// SPDX-License-Identifier: Apache-2.0
#include "workspace/builder.h"
#include "workspace/shim/places.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "workspace/builder_state.h"
#include "workspace/building.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr std::size_t kMaxLogBytes = 1UL << 20;

std::string search_path_of(const domain::SandboxSection& sandbox) {
  const bool keeps = std::ranges::find(sandbox.keep_env, "PATH") != sandbox.keep_env.end();
  const char* own = std::getenv("PATH");
  return keeps && own != nullptr ? own : std::string(kDefaultSearchPath);
}

// What stands in a folder's name: letters, digits and '-'.
std::string named_for_people(std::string_view purpose) {
  std::string name;
  for (const char c : purpose)
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '-';
  return name.empty() ? "build" : name.substr(0, 60);
}

// Of a fresh checkout whatever the commit holds of an earlier build is cleared away first.
std::string build_command(const domain::BuildSection& build, bool is_incremental) {
  if (build.clean.empty() || is_incremental) return build.command;
  return "(\n" + build.clean + "\n) || exit $?\n" + build.command;
}

std::string log_of(const ports::LaunchOutcome& outcome) {
  return base::shortened(base::printable(outcome.standard_output + outcome.standard_error),
                         kMaxLogBytes);
}

BuildFailure failure_of(const ports::LaunchOutcome& outcome) {
  std::string log = log_of(outcome);
  if (outcome.is_timeout) log += "\nthe build was stopped at its time limit";
  if (outcome.is_out_of_memory) log += "\nthe build ran into the memory limit";
  if (outcome.is_out_of_disk) log += "\nthe build was stopped: it had nearly filled the disk";
  return {outcome.exit_code, outcome.is_timeout, std::move(log), false};
}

}  // namespace

Builder::State::State(Setup setup_, const Repository& repository_, ports::Sandbox& sandbox_)
    : setup(std::move(setup_)),
      repository(repository_),
      sandbox(sandbox_),
      search_path(search_path_of(setup.manifest.sandbox)),
      cache(setup.arbor_dir / "trees", repository.toplevel()),
      toolchain(search_path) {}

ToolchainFacts Builder::toolchain() const { return state_->toolchain.facts(); }

Builder::Builder(Setup setup, const Repository& repository, ports::Sandbox& sandbox)
    : state_(std::make_unique<State>(std::move(setup), repository, sandbox)) {}
Builder::Builder(Builder&&) noexcept = default;
Builder::~Builder() = default;

Result<BuildOutcome> Builder::build(const BuildOrder& order, std::stop_token stop) {
  return state_->build(order, std::move(stop));
}

void Builder::discard(const BuiltTree& tree) { state_->cache.discard(tree); }

void Builder::keep_only(const std::vector<fs::path>& folders) { state_->cache.keep_only(folders); }

Result<fs::path> Builder::State::shim_folder() {
  const std::lock_guard lock(mutex_);
  if (!shim_) {
    ARBOR_TRY(auto scratch, base::ScratchDir::create(setup.arbor_dir / "tmp", "shim-"));
    ARBOR_TRY_VOID(make_open_folder(scratch.path() / "bin"));
    ARBOR_TRY_VOID(make_shim_folder(scratch.path() / "bin", setup.shim_binary, search_path));
    shim_.emplace(std::move(scratch));
  }
  return shim_->path() / "bin";
}

Result<domain::Recipe> Builder::State::shim_recipe(const domain::Recipe& recipe) const {
  domain::Recipe shim;
  std::map<std::string, std::string> macros;  // the last value of each knob counts
  for (const auto& entry : recipe.entries) {
    const auto* value = std::get_if<domain::KnobValue>(&entry);
    if (value == nullptr) {
      if (domain::changes_build(entry) && !domain::changes_source(entry))
        shim.entries.push_back(entry);
      continue;
    }
    const domain::Knob* knob = domain::find_knob(setup.manifest.knobs, value->knob);
    if (knob == nullptr)
      return base::fail(ErrorKind::kUsage,
                        fmt::format("the manifest has no knob '{}'", value->knob));
    if (*value != domain::knob_value(*knob, value->value))
      return base::fail(ErrorKind::kUsage,
                        fmt::format("the recipe and the manifest disagree on whether knob '{}' is "
                                    "a macro",
                                    value->knob));
    if (!value->macro.empty()) macros[value->macro] = value->value;
  }
  for (const auto& [macro, value] : macros)
    shim.entries.push_back(domain::CompilerFlags{
        .add = {fmt::format("-D{}={}", macro, value)}, .remove = {}, .files = {}});
  return shim;
}

Result<std::string> Builder::State::key_of(const BuildOrder& order) {
  ARBOR_TRY(const std::string tree, repository.tree_id(order.commit));
  ARBOR_TRY(const domain::Recipe recipe, shim_recipe(order.recipe));
  const auto& build = setup.manifest.build;
  base::Hasher hasher;
  hasher.add(tree).add(domain::canonical_form(recipe)).add(toolchain.fingerprint(recipe));
  hasher.add(build.clean).add(build.command).add(std::int64_t{order.wants_debug_info});
  hasher.add(repository.toplevel().string()).add(repository.program_folder().string());
  for (const auto& glob : build.artefacts) hasher.add(glob);
  return hasher.hex();
}

Result<BuildOutcome> Builder::State::build(const BuildOrder& order, std::stop_token stop) {
  const bool is_untrained = std::ranges::any_of(order.recipe.entries, [](const auto& entry) {
    const auto* guided = std::get_if<domain::ProfileGuided>(&entry);
    return guided != nullptr && guided->profile_object.empty();
  });
  if (is_untrained) return train_and_build(order, std::move(stop));
  ARBOR_TRY(std::string name, key_of(order));
  if (order.bypass_cache) {
    // A process number comes again, in a container all the time.
    const std::string stem =
        fmt::format("{}-{}-{}", name, named_for_people(order.purpose), ::getpid());
    do name = fmt::format("{}-{}", stem, ++serial);
    while (cache.has(name));
  } else if (auto found = cache.find(name)) {
    found->commit = order.commit;
    found->recipe = order.recipe;
    return std::move(*found);
  }
  return build_new(order, name, std::move(stop));
}

Result<std::optional<BuildCache::Origin>> Builder::State::start_of(const BuildOrder& order) const {
  if (order.start_from == nullptr || order.bypass_cache) return std::nullopt;
  ARBOR_TRY(const domain::Recipe ours, shim_recipe(order.recipe));
  ARBOR_TRY(const domain::Recipe theirs, shim_recipe(order.start_from->recipe));
  if (domain::canonical_form(ours) != domain::canonical_form(theirs)) return std::nullopt;
  auto origin = cache.origin_of(*order.start_from);
  if (!origin || origin->has_debug_info != order.wants_debug_info) return std::nullopt;
  return origin;
}

// Where the shim's parts lie for one build: its own scratch folder and what is shared.
Result<ShimFolders> Builder::State::shim_folders(const BuildOrder& order, const ShimPlan& plan,
                                                 const fs::path& scratch) {
  ShimFolders folders;
  ARBOR_TRY(folders.shim_folder, shim_folder());
  folders.plan_file = scratch / "plan";
  folders.record_folder = scratch / "record";
  ARBOR_TRY_VOID(base::write_file(folders.plan_file, plan_text(plan)));
  std::error_code ignored;
  fs::permissions(folders.plan_file, fs::perms(0644), ignored);
  if (plan.uses_ccache) {
    // Only builds of the unchanged program fill the cache that later builds read.
    folders.is_trunk_ccache_writable = order.recipe.entries.empty();
    folders.trunk_ccache_folder = setup.arbor_dir / "ccache";
    folders.ccache_folder = scratch / "ccache";
    ARBOR_TRY_VOID(make_open_folder(folders.trunk_ccache_folder));
    ARBOR_TRY_VOID(make_open_folder(folders.ccache_folder));
  }
  if (plan.pgo == ShimPlan::Pgo::kGenerate) {
    folders.profile_folder = scratch / "profile";  // of programs that the build itself runs
    folders.is_profile_writable = true;
    ARBOR_TRY_VOID(make_open_folder(folders.profile_folder));
  }
  for (const auto& entry : order.recipe.entries)
    if (const auto* guided = std::get_if<domain::ProfileGuided>(&entry);
        guided != nullptr && !guided->profile_object.empty()) {
      folders.profile_folder = profile_folder(guided->profile_object);
      if (!fs::is_directory(folders.profile_folder, ignored))
        return base::fail(ErrorKind::kCorrupt,
                          fmt::format("the recipe's profile data '{}' are gone; train again",
                                      folders.profile_folder.string()));
    }
  return folders;
}

Result<ports::LaunchRequest> Builder::State::build_request(const BuildOrder& order,
                                                           const fs::path& scratch,
                                                           bool is_incremental) {
  ARBOR_TRY(const domain::Recipe recipe, shim_recipe(order.recipe));
  // Its settings hold paths that a sandbox without mounts cannot rewrite.
  const bool has_ccache = !order.bypass_cache && sandbox.traits().isolates &&
                          find_in_path(search_path, "ccache").has_value();
  ShimPlan plan = plan_of(recipe, {.tree_path = repository.toplevel(),
                                   .wants_debug_info = order.wants_debug_info,
                                   .uses_ccache = has_ccache});
  if (plan.pgo != ShimPlan::Pgo::kNone) plan.uses_ccache = false;
  ARBOR_TRY(const ShimFolders folders, shim_folders(order, plan, scratch));
  ports::LaunchRequest request;
  request.argv = {"sh", "-c", build_command(setup.manifest.build, is_incremental)};
  request.ends_with_command = true;
  request.cwd = repository.toplevel() / repository.program_folder();
  request.view.tree = scratch / kTreeFolder;
  request.view.tree_path = repository.toplevel();
  ARBOR_TRY(request.view.mounts, fixed_mounts());
  for (auto& mount : shim_mounts(folders)) request.view.mounts.push_back(std::move(mount));
  request.environment = fixed_environment();
  request.environment[kPlacesVariable] = places_text(repository.toplevel());
  for (auto& [variable, value] : shim_environment(folders, search_path))
    request.environment[variable] = value;
  const double timeout_s = setup.manifest.build.timeout_s;
  request.limits = limits(std::min(timeout_s, order.longest_s.value_or(timeout_s)));
  request.has_network = setup.manifest.sandbox.network;
  return request;
}

Result<BuildOutcome> Builder::State::build_new(const BuildOrder& order, const std::string& name,
                                               std::stop_token stop) {
  ARBOR_TRY(const auto scratch, cache.begin());
  Building building(order, repository, setup.manifest, scratch.path());
  ARBOR_TRY(const auto origin, start_of(order));
  ARBOR_TRY_VOID(building.lay_out(origin));
  ARBOR_TRY(const auto request, build_request(order, scratch.path(), origin.has_value()));
  ARBOR_TRY(const auto outcome, sandbox.launch(request, stop));
  if (outcome.exit_code != 0 || outcome.is_timeout || outcome.is_out_of_disk) {
    BuildFailure failure = failure_of(outcome);
    const bool is_cut = failure.is_timeout || outcome.is_out_of_disk;
    if (!origin || is_cut || failure.log.contains("error:")) return failure;
    // No compiler objected: what the earlier build left may be in the way, a header that is gone.
    BuildOrder afresh = order;
    afresh.start_from = nullptr;
    return build_new(afresh, name, std::move(stop));
  }

  ARBOR_TRY(const std::string source_tree, repository.tree_id(order.commit));
  ARBOR_TRY(BuildOutcome taken, building.take_in(source_tree));
  auto* built = std::get_if<BuiltTree>(&taken);
  if (built == nullptr) return taken;
  built->build_s = static_cast<double>(outcome.wall_ns) * 1e-9;
  const std::string log = log_of(outcome);
  for (const char* used : {"ccache", "profile", "plan", "record"})
    base::remove_tree(scratch.path() / used);
  ARBOR_TRY(auto stored, cache.store(name, scratch.path(), *built, order.wants_debug_info));
  stored.commit = order.commit;
  stored.recipe = order.recipe;
  stored.log = log;
  return stored;
}

}  // namespace arbor::workspace
