// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "ports/executor/machine_load.h"
#include "workspace/assembly.h"
#include "workspace/builder_state.h"
#include "workspace/glob.h"
#include "workspace/harness.h"
#include "workspace/shim/places.h"
#include "workspace/shim/witness.h"

// How a command of the manifest is launched on a built tree.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

constexpr std::int64_t kLargestFile = 16LL << 30;
constexpr std::int64_t kSmallestLimit = 1LL << 30;
constexpr std::int64_t kLargestReserve = 1LL << 30;
constexpr std::int64_t kSmallestReserve = 64LL << 20;

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

fs::path expanded_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (path == "~" || path.starts_with("~/"))) return home + path.substr(1);
  return path;
}

std::string placeholder(const domain::Knob& knob) { return "{knob." + knob.name + "}"; }

std::string argument_text(const domain::Knob& knob, const std::string& value) {
  if (value.empty()) return {};
  std::string text = knob.argument.empty() ? "{}" : knob.argument;
  replace_all(text, "{}", base::shell_quoted(value));
  return text;
}

// LD_PRELOAD separates by spaces and colons and knows no quoting.
void put_preload(ports::LaunchRequest& request, const std::string& library, bool is_first) {
  std::string& list = request.environment["LD_PRELOAD"];
  if (list.empty())
    list = library;
  else
    list = is_first ? library + ":" + list : list + ":" + library;
}

}  // namespace

std::map<std::string, std::string> Builder::State::fixed_environment() const {
  std::map<std::string, std::string> environment = {
      {"PATH", search_path},
      // The tree belongs to whoever runs Arbor, the sandbox's user may be another.
      {"GIT_CONFIG_COUNT", "1"},
      {"GIT_CONFIG_KEY_0", "safe.directory"},
      {"GIT_CONFIG_VALUE_0", "*"},
      // Leaks of benign programs are no failures of a candidate.
      {"ASAN_OPTIONS", "detect_leaks=0"},
      {"LSAN_OPTIONS", "detect_leaks=0"}};
  for (const auto& name : setup.manifest.sandbox.keep_env)
    if (const char* value = std::getenv(name.c_str()); value != nullptr) environment[name] = value;
  return environment;
}

ports::Limits Builder::State::limits(double wall_s) const {
  ports::Limits limits;
  limits.wall_s = wall_s;
  limits.memory_bytes = setup.manifest.sandbox.memory_bytes;
  limits.processes = setup.manifest.sandbox.processes;
  // No file may take most of the disk that the journal is on.
  const auto free_bytes = ports::free_disk_bytes(setup.arbor_dir);
  const std::int64_t share = free_bytes ? static_cast<std::int64_t>(*free_bytes / 4) : kLargestFile;
  limits.file_bytes = std::clamp(share, kSmallestLimit, kLargestFile);
  // Nor may all of its files together: the journal and everybody else need room.
  if (free_bytes)
    limits.disk_reserve_bytes =
        std::clamp(static_cast<std::int64_t>(*free_bytes / 10), kSmallestReserve, kLargestReserve);
  return limits;
}

Result<std::vector<ports::Mount>> Builder::State::fixed_mounts() const {
  std::vector<ports::Mount> mounts;
  const fs::path root = repository.toplevel() / repository.program_folder();
  const auto add = [&](const fs::path& path, std::string_view section) -> Result<void> {
    std::error_code failed;
    if (!fs::exists(path, failed))
      return base::fail(ErrorKind::kUsage,
                        fmt::format("{} names '{}', which does not exist", section, path.string()));
    mounts.push_back({path, path, false});
    return {};
  };
  for (const auto& folder : setup.manifest.sandbox.read)
    ARBOR_TRY_VOID(add((root / expanded_home(folder)).lexically_normal(), "[sandbox] read"));
  for (const auto& input : setup.manifest.program.inputs)
    ARBOR_TRY_VOID(add((root / input).lexically_normal(), "[program] inputs"));
  return mounts;
}

void Builder::State::add_witness(ports::LaunchRequest& request, const fs::path& record) const {
  request.view.mounts.push_back({setup.witness_library, fs::path(kWitnessFile), false});
  request.view.mounts.push_back({record, fs::path(kRecordFolder), true});
  request.environment[kPlacesVariable] = places_text(repository.toplevel());
  put_preload(request, std::string(kWitnessFile), true);
}

void Builder::State::put_knobs(const std::map<std::string, std::string>& values,
                               std::string& command, ports::LaunchRequest& request) const {
  for (const auto& knob : setup.manifest.knobs) {
    const auto set = values.find(knob.name);
    if (knob.kind == domain::KnobKind::kEnvironment && set != values.end())
      request.environment[knob.variable] = set->second;
    if (knob.kind == domain::KnobKind::kArgument)
      replace_all(command, placeholder(knob),
                  argument_text(knob, set != values.end() ? set->second : knob.default_value));
  }
}

// A file of ours with this text, for mounting over one of a tree's; kept by its content.
Result<fs::path> Builder::State::mountable(const std::string& text) const {
  const fs::path file = setup.arbor_dir / "rendered" / base::content_hash(text);
  std::error_code failed;
  if (fs::exists(file, failed)) return file;
  fs::create_directories(file.parent_path(), failed);
  ARBOR_TRY_VOID(base::write_file_durable(file, text));
  fs::permissions(file, fs::perms(text.starts_with("#!") ? 0755 : 0644), failed);
  return file;
}

Result<std::vector<ports::Mount>> Builder::State::idle_programs(const BuiltTree& tree,
                                                                int exit_code) const {
  std::vector<ports::Mount> mounts;
  ARBOR_TRY(const fs::path idle, mountable(fmt::format("#!/bin/sh\nexit {}\n", exit_code)));
  for (const auto& artefact : tree.artefacts) {
    std::error_code failed;
    const auto status = fs::symlink_status(tree.folder / artefact.path, failed);
    const bool is_program = status.type() == fs::file_type::regular &&
                            (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (is_program) mounts.push_back({idle, repository.toplevel() / artefact.path, false});
  }
  return mounts;
}

Result<std::vector<ports::Mount>> Builder::State::rendered_templates(
    const BuiltTree& tree, const std::map<std::string, std::string>& values) const {
  std::map<std::string, std::string> texts;  // by path from the repository's root
  for (const auto& knob : setup.manifest.knobs) {
    if (knob.kind != domain::KnobKind::kFileTemplate) continue;
    const std::string path = (repository.program_folder() / knob.file).lexically_normal().string();
    const auto [text, is_new] = texts.try_emplace(path);
    if (is_new) {
      ARBOR_TRY(text->second, base::read_file(tree.folder / path));
    }
    const auto set = values.find(knob.name);
    replace_all(text->second, placeholder(knob),
                set != values.end() ? set->second : knob.default_value);
  }
  std::vector<ports::Mount> mounts;
  for (const auto& [path, text] : texts) {
    ARBOR_TRY(const fs::path file, mountable(text));
    mounts.push_back({file, repository.toplevel() / path, false});
  }
  return mounts;
}

Result<ports::LaunchRequest> Builder::State::launch_request(const LaunchOrder& order) {
  if (auto refused = refusal(order))
    return base::fail(ErrorKind::kUsage, std::move(refused->detail));
  ports::LaunchRequest request;
  request.cwd = repository.toplevel() / repository.program_folder();
  request.view.tree = order.tree->folder;
  request.view.tree_path = repository.toplevel();
  request.view.discard_writes = true;
  ARBOR_TRY(request.view.mounts, fixed_mounts());
  if (order.idle_exit_code) {
    ARBOR_TRY(const auto idle, idle_programs(*order.tree, *order.idle_exit_code));
    request.view.mounts.insert(request.view.mounts.end(), idle.begin(), idle.end());
  }
  ARBOR_TRY(const auto judges, judges_part(order));
  request.view.mounts.insert(request.view.mounts.end(), judges.mounts.begin(), judges.mounts.end());
  request.view.removed = judges.removed;
  request.environment = fixed_environment();
  const Assembly assembly = assembled(order.recipe);
  for (const auto& [name, value] : assembly.environment) request.environment[name] = value;
  std::string command = order.command;
  put_knobs(assembly.knob_values, command, request);
  ARBOR_TRY(const auto rendered, rendered_templates(*order.tree, assembly.knob_values));
  request.view.mounts.insert(request.view.mounts.end(), rendered.begin(), rendered.end());
  replace_all(command, "{seed}", std::to_string(order.seed.value_or(setup.manifest.search.seed)));
  request.argv = {"sh", "-c", command};
  for (const auto& library : assembly.preloads) {
    put_preload(request, library, false);
    if (is_hidden(library)) request.view.mounts.push_back({library, library, false});
  }
  request.limits = limits(order.timeout_s);
  request.has_network = setup.manifest.sandbox.network;
  for (const auto& file : order.collect)
    request.collect.push_back((repository.program_folder() / file).lexically_normal().string());
  // What the command is to write: a build can leave it ready-made.
  request.view.removed.insert(request.view.removed.end(), request.collect.begin(),
                              request.collect.end());
  return request;
}

Result<ports::LaunchRequest> Builder::launch_request(const LaunchOrder& order) const {
  ARBOR_TRY(auto request, state_->launch_request(order));
  if (!order.with_witness) return request;
  const fs::path record = state_->setup.arbor_dir / "witness";
  std::error_code failed;
  fs::create_directories(record, failed);
  state_->add_witness(request, record);
  return request;
}

Result<std::string> Builder::harness_hash(const BuiltTree& judge) const {
  const std::string folder = state_->repository.program_folder().string();
  const auto& manifest = state_->setup.manifest;
  std::vector<std::string> globs = {rooted_glob(folder, "arbor.toml")};
  for (const auto* harness : {&manifest.check.harness, &manifest.bench.harness})
    for (const auto& glob : *harness) globs.push_back(rooted_glob(folder, glob));
  return workspace::harness_hash(judge.folder, globs);
}

void Builder::name_as_ordered(ports::LaunchOutcome& outcome) const {
  const fs::path folder = state_->repository.program_folder();
  if (folder.empty()) return;
  std::map<std::string, std::string> renamed;
  for (auto& [path, bytes] : outcome.collected)
    renamed[fs::path(path).lexically_relative(folder).string()] = std::move(bytes);
  outcome.collected = std::move(renamed);
}

}  // namespace arbor::workspace
