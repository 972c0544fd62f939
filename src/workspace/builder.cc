// SPDX-License-Identifier: Apache-2.0
#include "workspace/builder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "workspace/artefacts.h"
#include "workspace/builder_state.h"
#include "workspace/copy_tree.h"
#include "workspace/glob.h"

namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr std::size_t kMaxLogBytes = 64UL << 10;
constexpr std::uintmax_t kMaxRecordBytes = 256ULL << 20;

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

BuildFailure failure_of(const ports::LaunchOutcome& outcome) {
  BuildFailure failure{outcome.exit_code, outcome.is_timeout, {}};
  std::string log = outcome.standard_output + outcome.standard_error;
  if (outcome.is_timeout) log += "\nthe build was stopped at [build] timeout";
  if (outcome.is_out_of_memory) log += "\nthe build ran into the memory limit";
  failure.log = base::shortened(base::printable(log), kMaxLogBytes);
  return failure;
}

// A file that a build wrote to, if it is one.
std::string record_of(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) return {};
  const auto text = base::read_file(file, kMaxRecordBytes);
  return text ? *text : "";
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  // Readable for the sandbox's user whatever the user's umask is.
  if (!failed) fs::permissions(folder, fs::perms(0755), failed);
  if (!failed) return {};
  return base::fail(ErrorKind::kIo,
                    fmt::format("cannot create '{}': {}", folder.string(), failed.message()));
}

}  // namespace

Builder::State::State(Setup setup_, const Repository& repository_, ports::Sandbox& sandbox_)
    : setup(std::move(setup_)),
      repository(repository_),
      sandbox(sandbox_),
      search_path(search_path_of(setup.manifest.sandbox)),
      cache(setup.arbor_dir / "trees", repository.toplevel()),
      toolchain(search_path) {}

Builder::Builder(Setup setup, const Repository& repository, ports::Sandbox& sandbox)
    : state_(std::make_unique<State>(std::move(setup), repository, sandbox)) {}
Builder::Builder(Builder&&) noexcept = default;
Builder::~Builder() = default;

Result<BuildOutcome> Builder::build(const BuildOrder& order, std::stop_token stop) {
  return state_->build(order, std::move(stop));
}

void Builder::keep_only(const std::vector<fs::path>& folders) { state_->cache.keep_only(folders); }

Result<fs::path> Builder::State::shim_folder() {
  const std::lock_guard lock(mutex_);
  if (!shim_) {
    ARBOR_TRY(auto scratch, base::ScratchDir::create(setup.arbor_dir / "tmp", "shim-"));
    ARBOR_TRY_VOID(make_folder(scratch.path() / "bin"));
    ARBOR_TRY_VOID(make_shim_folder(scratch.path() / "bin", setup.shim_binary, search_path));
    shim_.emplace(std::move(scratch));
  }
  return shim_->path() / "bin";
}

const domain::Knob* Builder::State::find_knob(const std::string& name) const {
  const auto& knobs = setup.manifest.knobs;
  const auto found = std::ranges::find(knobs, name, &domain::Knob::name);
  return found == knobs.end() ? nullptr : &*found;
}

Result<domain::Recipe> Builder::State::shim_recipe(const domain::Recipe& recipe) const {
  domain::Recipe shim;
  std::map<std::string, std::string> macros;  // the last value of each knob counts
  for (const auto& entry : recipe.entries) {
    if (domain::changes_build(entry) && !domain::changes_source(entry))
      shim.entries.push_back(entry);
    const auto* value = std::get_if<domain::KnobValue>(&entry);
    if (value == nullptr) continue;
    const domain::Knob* knob = find_knob(value->knob);
    if (knob == nullptr)
      return base::fail(ErrorKind::kUsage,
                        fmt::format("the manifest has no knob '{}'", value->knob));
    if (knob->kind == domain::KnobKind::kDefine) macros[knob->variable] = value->value;
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
  hasher.add(build.command).add(std::int64_t{order.wants_debug_info});
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
    name += fmt::format("-{}-{}-{}", named_for_people(order.purpose), ::getpid(), ++serial);
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

namespace {

// One build under way: the steps of build_new.
class Building {
 public:
  Building(const BuildOrder& order, const Repository& repository, const domain::Manifest& manifest,
           fs::path folder)
      : order_(order), repository_(repository), manifest_(manifest), folder_(std::move(folder)) {}

  fs::path tree() const { return folder_ / kTreeFolder; }
  fs::path record() const { return folder_ / "record"; }

  Result<void> lay_out(const std::optional<BuildCache::Origin>& origin) {
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
    ARBOR_TRY_VOID(make_folder(record()));
    ARBOR_TRY_VOID(make_folder(tree() / repository_.program_folder()));
    ARBOR_TRY(before_, list_tree(tree()));
    return {};
  }

  // After the build: what it ran and what it wrote. A failure is the candidate's.
  Result<BuildOutcome> take_in(const std::string& source_tree) {
    BuiltTree built;
    built.commit = order_.commit;
    built.recipe = order_.recipe;
    const std::string lines = earlier_ + record_of(record() / "commands.jsonl");
    auto commands = parse_commands(lines, repository_.toplevel());
    if (!commands)
      return BuildFailure{0, false,
                          "the record of compile commands was written to by the build: " +
                              commands.error().message};
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

 private:
  static std::vector<std::string> paths_of(const std::vector<Artefact>& artefacts) {
    std::vector<std::string> paths;
    for (const auto& artefact : artefacts) paths.push_back(artefact.path);
    return paths;
  }

  ArtefactRules rules_for(const TreeListing& after) const {
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

  const BuildOrder& order_;
  const Repository& repository_;
  const domain::Manifest& manifest_;
  fs::path folder_;
  TreeListing before_;
  std::string earlier_;
  std::vector<std::string> candidates_;
};

}  // namespace

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
    ARBOR_TRY_VOID(make_folder(folders.trunk_ccache_folder));
    ARBOR_TRY_VOID(make_folder(folders.ccache_folder));
  }
  if (plan.pgo == ShimPlan::Pgo::kGenerate) {
    folders.profile_folder = scratch / "profile";  // of programs that the build itself runs
    folders.is_profile_writable = true;
    ARBOR_TRY_VOID(make_folder(folders.profile_folder));
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
                                                           const fs::path& scratch) {
  ARBOR_TRY(const domain::Recipe recipe, shim_recipe(order.recipe));
  const bool has_ccache = !order.bypass_cache && find_in_path(search_path, "ccache").has_value();
  ShimPlan plan = plan_of(recipe, {.tree_path = repository.toplevel(),
                                   .wants_debug_info = order.wants_debug_info,
                                   .uses_ccache = has_ccache});
  if (plan.pgo != ShimPlan::Pgo::kNone) plan.uses_ccache = false;
  ARBOR_TRY(const ShimFolders folders, shim_folders(order, plan, scratch));
  ports::LaunchRequest request;
  request.argv = {"sh", "-c", setup.manifest.build.command};
  request.cwd = repository.toplevel() / repository.program_folder();
  request.view.tree = scratch / kTreeFolder;
  request.view.tree_path = repository.toplevel();
  ARBOR_TRY(request.view.mounts, fixed_mounts());
  for (auto& mount : shim_mounts(folders)) request.view.mounts.push_back(std::move(mount));
  request.environment = fixed_environment();
  for (auto& [variable, value] : shim_environment(folders, search_path))
    request.environment[variable] = value;
  request.limits = limits(setup.manifest.build.timeout_s);
  request.has_network = setup.manifest.sandbox.network;
  return request;
}

Result<BuildOutcome> Builder::State::build_new(const BuildOrder& order, const std::string& name,
                                               std::stop_token stop) {
  ARBOR_TRY(const auto scratch, cache.begin());
  Building building(order, repository, setup.manifest, scratch.path());
  ARBOR_TRY(const auto origin, start_of(order));
  ARBOR_TRY_VOID(building.lay_out(origin));
  ARBOR_TRY(const auto request, build_request(order, scratch.path()));
  ARBOR_TRY(const auto outcome, sandbox.launch(request, stop));
  if (outcome.exit_code != 0 || outcome.is_timeout) return failure_of(outcome);

  ARBOR_TRY(const std::string source_tree, repository.tree_id(order.commit));
  ARBOR_TRY(BuildOutcome taken, building.take_in(source_tree));
  auto* built = std::get_if<BuiltTree>(&taken);
  if (built == nullptr) return taken;
  built->build_s = static_cast<double>(outcome.wall_ns) * 1e-9;
  for (const char* used : {"ccache", "profile", "plan", "record"})
    base::remove_tree(scratch.path() / used);
  ARBOR_TRY(auto stored, cache.store(name, scratch.path(), *built, order.wants_debug_info));
  stored.commit = order.commit;
  stored.recipe = order.recipe;
  return stored;
}

}  // namespace arbor::workspace
