// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/terminal.h"
#include "app/cli/verb.h"
#include "app/config/manifest_file.h"
#include "engine/services.h"
#include "engine/session.h"
#include "ports/store/controller_lock.h"

// The only place that chooses implementations: from a command line to the services of a campaign.
namespace arbor::app {

// The program a verb works on: -C, or the nearest folder upwards that holds arbor.toml or a
// campaign. kUsage where its .arbor is not Arbor's own; until then nothing in there is read.
base::Result<std::filesystem::path> find_program(const Arguments& arguments);

// A file or folder that an option names: relative to -C's folder where that is given, as git does.
std::filesystem::path path_given(const Arguments& arguments, const std::string& text);

// The program's manifest with the flags' overrides applied.
base::Result<LoadedManifest> manifest_for(const std::filesystem::path& root,
                                          const Arguments& arguments);

// One of Arbor's own small programs ("arbor-shim"): beside the binary in a build tree, in libexec
// when installed.
base::Result<std::filesystem::path> own_program(const std::string& name);

// Everything a measuring verb needs. Members are in the order of their dependence.
struct Workshop {
  std::optional<ports::ControllerLock>
      in_use;  // of whoever builds and measures here: one at a time
  std::filesystem::path root;
  std::filesystem::path arbor_dir;
  domain::Manifest manifest;
  domain::ManifestSource manifest_source;
  std::unique_ptr<workspace::Repository> repository;
  std::unique_ptr<ports::Clock> clock;
  std::unique_ptr<ports::Sandbox> sandbox;
  std::unique_ptr<ports::Executor> executor;
  std::unique_ptr<ports::Profiler> profiler;
  std::unique_ptr<ports::Analyzer> analyzer;
  std::unique_ptr<ports::Store> store;
  std::unique_ptr<workspace::Builder> builder;
  std::unique_ptr<engine::Services> services;
};

struct WorkshopOptions {
  ports::StoreMode store_mode = ports::StoreMode::kCreate;
  bool is_in_memory = false;  // nothing is journaled to disk: try, verify
  bool is_unsafe = false;
  std::vector<std::string> only, without;  // specialists by registry name
};

base::Result<std::unique_ptr<Workshop>> open_workshop(const std::filesystem::path& root,
                                                      LoadedManifest loaded,
                                                      const WorkshopOptions& options);

// A campaign read without taking part in it: status, tree, why, report.
struct Campaign {
  std::filesystem::path root;
  domain::Manifest manifest;  // what the campaign began with, whatever arbor.toml says by now
  std::unique_ptr<ports::Store> store;
  engine::CampaignState state;
};
base::Result<Campaign> read_campaign(const Arguments& arguments);

// Requested once by Ctrl-C (finish the state transition, save); a second one ends the process.
std::stop_token interrupted();

}  // namespace arbor::app
