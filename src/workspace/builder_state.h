// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "workspace/assembly.h"
#include "workspace/build_cache.h"
#include "workspace/builder.h"
#include "workspace/harness.h"
#include "workspace/toolchain.h"

// What the parts of the builder share: builder.cc (builds), training.cc (profile-guided builds),
// launches.cc (commands on built trees).
namespace arbor::workspace {

struct Builder::State {
  State(Setup setup_, const Repository& repository_, ports::Sandbox& sandbox_);

  Setup setup;
  const Repository& repository;
  ports::Sandbox& sandbox;
  std::string search_path;  // PATH inside, without the shim
  BuildCache cache;
  Toolchain toolchain;
  std::atomic<int> serial = 0;

  // builder.cc
  base::Result<BuildOutcome> build(const BuildOrder& order, std::stop_token stop);
  base::Result<BuildOutcome> build_new(const BuildOrder& order, const std::string& name,
                                       std::stop_token stop);
  base::Result<ports::LaunchRequest> build_request(const BuildOrder& order,
                                                   const std::filesystem::path& scratch,
                                                   bool is_incremental);
  base::Result<ShimFolders> shim_folders(const BuildOrder& order, const ShimPlan& plan,
                                         const std::filesystem::path& scratch);
  base::Result<std::string> key_of(const BuildOrder& order);
  // The recipe's flags, compiler and profile; knobs that are macros become flags.
  base::Result<domain::Recipe> shim_recipe(const domain::Recipe& recipe) const;
  base::Result<std::optional<BuildCache::Origin>> start_of(const BuildOrder& order) const;
  base::Result<std::filesystem::path> shim_folder();

  // training.cc
  base::Result<BuildOutcome> train_and_build(const BuildOrder& order, std::stop_token stop);
  struct Training {
    std::string object;  // empty: the run left no profile data
    double wall_s = 0;
    bool is_timeout = false;
    bool is_out_of_disk = false;
  };
  base::Result<Training> train(const BuiltTree& instrumented, const domain::Recipe& recipe,
                               std::optional<double> longest_s, std::stop_token stop);
  std::filesystem::path profile_folder(const std::string& object) const;

  // launches.cc
  base::Result<ports::LaunchRequest> launch_request(const LaunchOrder& order);
  base::Result<std::vector<ports::Mount>> fixed_mounts() const;  // inputs and readable folders
  std::map<std::string, std::string> fixed_environment() const;
  ports::Limits limits(double wall_s) const;
  base::Result<std::filesystem::path> mountable(const std::string& text) const;
  base::Result<std::vector<ports::Mount>> idle_programs(const BuiltTree& tree, int exit_code) const;
  // Files whose {knob.NAME} are filled in, kept under .arbor/rendered by content and mounted.
  base::Result<std::vector<ports::Mount>> rendered_templates(
      const BuiltTree& tree, const std::map<std::string, std::string>& values) const;
  // Puts knobs that are variables into the request and arguments into the command.
  void put_knobs(const std::map<std::string, std::string>& values, std::string& command,
                 ports::LaunchRequest& request) const;
  void add_witness(ports::LaunchRequest& request, const std::filesystem::path& record) const;

  // judging.cc
  struct JudgesPart {
    std::vector<ports::Mount> mounts;  // the judge's own files
    std::vector<std::string> removed;  // of the candidate's tree, which the launch must not see
  };
  base::Result<JudgesPart> judges_part(const LaunchOrder& order);
  struct JudgesFiles {
    HarnessFiles harness;
    HarnessFiles named;  // source files that the command names
  };
  base::Result<JudgesFiles> judges_files(const LaunchOrder& order);
  base::Result<HarnessFiles> judges_harness(const BuiltTree& judge,
                                            const std::vector<std::string>& globs) const;
  base::Result<HarnessFiles> named_files(const BuiltTree& judge, const std::string& command,
                                         const HarnessFiles& harness) const;
  const std::vector<std::string>& strangers_in(const BuiltTree& tree, const HarnessFiles& harness,
                                               const LaunchOrder& order);
  std::vector<std::string> rooted(const std::vector<std::string>& globs) const;

  // launch_refusal.cc
  std::optional<LaunchRefusal> refusal(const LaunchOrder& order);
  std::optional<std::string> knob_problem(const LaunchOrder& order, const Assembly& assembly) const;

 private:
  std::mutex mutex_;
  std::optional<base::ScratchDir> shim_;
  std::map<std::string, JudgesFiles> judges_;
  std::map<std::string, std::vector<std::string>> strangers_;  // by tree and globs
};

}  // namespace arbor::workspace
