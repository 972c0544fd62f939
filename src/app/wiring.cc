// SPDX-License-Identifier: Apache-2.0
#include "app/wiring.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/machine.h"
#include "base/text.h"
#include "engine/planted_faults.h"
#include "measure/guardrails/guardrail.h"
#include "ports/clock/system.h"
#include "ports/store/damage.h"
#include "workspace/arbor_folder.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPlacebo = "placebo";  // real but ineffective changes: only when asked for

base::Result<void> check_names(std::string_view kind, const std::vector<std::string>& given,
                               const std::vector<std::string>& known) {
  for (const auto& name : given) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto meant = base::nearest(name, known);
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("no {} is called '{}'{}; 'arbor list' shows them", kind, name,
                                  meant ? fmt::format(", did you mean '{}'?", *meant) : ""));
  }
  return {};
}

base::Result<std::vector<engine::Worker>> workers_of(const WorkshopOptions& options) {
  std::vector<engine::Worker> workers;
  std::vector<std::string> names;
  for (const auto* entry : agents::Specialists::instance().sorted()) names.push_back(entry->name);
  ARBOR_TRY_VOID(check_names("specialist", options.only, names));
  for (const auto* entry : base::Registry<measure::Guardrail>::instance().sorted())
    names.push_back(entry->name);
  for (const auto& plant : engine::kPlants) names.emplace_back(plant.name);
  ARBOR_TRY_VOID(check_names("specialist or guardrail", options.without, names));
  for (const auto* entry : agents::Specialists::instance().sorted()) {
    const auto is_in = [&](const std::vector<std::string>& list) {
      return std::ranges::find(list, entry->name) != list.end();
    };
    const bool is_wanted = options.only.empty() ? entry->name != kPlacebo : is_in(options.only);
    if (is_wanted && !is_in(options.without)) workers.push_back({entry->name, entry->create()});
  }
  return workers;
}

base::Result<void> open_ports(Workshop& shop, const WorkshopOptions& options) {
  shop.clock = ports::make_system_clock();
  ARBOR_TRY(shop.sandbox, ports::open_sandbox(shop.arbor_dir / "scratch", options.is_unsafe));
  shop.executor = ports::make_local_executor(*shop.sandbox);
  ARBOR_TRY(shop.profiler, ports::open_profiler(*shop.sandbox, shop.manifest.profile.tool));
  if (const auto analyzer = own_program("arbor-analyzer"))
    if (auto opened = ports::open_analyzer(*shop.sandbox, *analyzer))
      shop.analyzer = std::move(*opened);
  ARBOR_TRY(shop.store, ports::open_store(shop.arbor_dir, options.store_mode,
                                          options.is_in_memory ? "memory" : "sqlite"));
  return {};
}

// As the journal's first entry keeps it; the present file where that entry kept none.
base::Result<domain::Manifest> manifest_of_campaign(const std::vector<ports::Event>& events,
                                                    const fs::path& root) {
  if (!events.empty()) {
    ARBOR_TRY(const auto first, engine::decode(events.front()));
    const auto* started = std::get_if<engine::CampaignStarted>(&first);
    if (started != nullptr && started->manifest) {
      ARBOR_TRY(auto manifest, manifest_of(*started->manifest, root));
      manifest.program.name = started->program;
      return manifest;
    }
  }
  ARBOR_TRY(auto loaded, manifest_for(root, Arguments{}));
  return loaded.manifest;
}

}  // namespace

base::Result<fs::path> own_program(const std::string& name) {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const auto& folder :
       {self, self.parent_path() / "libexec" / "arbor", self.parent_path() / "lib" / "arbor"})
    if (fs::exists(folder / name)) return folder / name;
  return base::fail(
      base::ErrorKind::kUnsupported,
      fmt::format("'{}' is not beside the arbor program in '{}'; was the installation cut short?",
                  name, self.string()));
}

base::Result<fs::path> find_program(const Arguments& arguments) {
  std::error_code failed;
  const auto given = arguments.value("-C");
  const fs::path start = fs::canonical(given.value_or("."), failed);
  if (failed)
    return base::fail(base::ErrorKind::kUsage, fmt::format("no folder '{}'", given.value_or(".")));
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::exists(folder / kManifestName, failed) ||
        fs::exists(folder / ".arbor" / "campaign.db", failed)) {
      ARBOR_TRY_VOID(workspace::check_arbor_folder(folder / ".arbor"));
      return folder;
    }
    if (given || folder == folder.parent_path()) break;
  }
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("no arbor.toml in '{}'{}; 'arbor init' writes one", start.string(),
                                given ? "" : " or above it"));
}

fs::path path_given(const Arguments& arguments, const std::string& text) {
  return fs::path(arguments.value("-C").value_or("")) / text;
}

base::Result<std::unique_ptr<Workshop>> open_workshop(const fs::path& root, LoadedManifest loaded,
                                                      const WorkshopOptions& options) {
  const fs::path arbor_dir = root / ".arbor";
  ARBOR_TRY(auto workers, workers_of(options));
  ARBOR_TRY(auto repository, workspace::Repository::open(root, arbor_dir));
  ARBOR_TRY(auto in_use,
            ports::ControllerLock::take(
                arbor_dir / "in-use",
                fmt::format("the program in '{}' is being built and measured", root.string())));
  auto shop = std::make_unique<Workshop>();
  shop->in_use = std::move(in_use);
  shop->root = root;
  shop->arbor_dir = arbor_dir;
  shop->manifest = std::move(loaded.manifest);
  shop->manifest_source = std::move(loaded.source);
  shop->repository = std::make_unique<workspace::Repository>(std::move(repository));
  ARBOR_TRY_VOID(open_ports(*shop, options));
  ARBOR_TRY(const auto shim, own_program("arbor-shim"));
  ARBOR_TRY(const auto witness, own_program("libarbor_witness.so"));
  shop->builder = std::make_unique<workspace::Builder>(
      workspace::Builder::Setup{shop->manifest, shop->arbor_dir, shim, witness}, *shop->repository,
      *shop->sandbox);
  shop->services = std::make_unique<engine::Services>(engine::Services{shop->manifest,
                                                                       *shop->repository,
                                                                       *shop->builder,
                                                                       *shop->sandbox,
                                                                       *shop->executor,
                                                                       *shop->profiler,
                                                                       *shop->clock,
                                                                       *shop->store,
                                                                       shop->analyzer.get(),
                                                                       survey_machine(),
                                                                       std::move(workers),
                                                                       {},
                                                                       {},
                                                                       {}});
  return shop;
}

base::Result<Campaign> read_campaign(const Arguments& arguments) {
  Campaign campaign;
  ARBOR_TRY(campaign.root, find_program(arguments));
  if (!fs::exists(campaign.root / ".arbor" / "campaign.db"))
    return base::fail(
        base::ErrorKind::kUsage,
        fmt::format("no campaign in '{}' yet; 'arbor run' starts one{}", campaign.root.string(),
                    fs::exists(campaign.root / ".arbor" / "archive")
                        ? "; earlier ones are in .arbor/archive"
                        : ""));
  ARBOR_TRY(campaign.store, ports::open_store(campaign.root / ".arbor", ports::StoreMode::kRead));
  ARBOR_TRY(const auto events, campaign.store->read(0));
  const auto told = [&](base::Error error) {
    return ports::unusable_journal(campaign.root / ".arbor", std::move(error));
  };
  auto manifest = manifest_of_campaign(events, campaign.root);
  if (!manifest) return told(std::move(manifest).error());
  campaign.manifest = std::move(*manifest);
  auto state = engine::fold(events, campaign.manifest);
  if (!state) return told(std::move(state).error());
  campaign.state = std::move(*state);
  return campaign;
}

}  // namespace arbor::app
