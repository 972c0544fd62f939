// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agents/specialists/specialist.h"

// Evidence for the tests of specialists: a small C++ program in memory. Tests change what they
// speak of and ask a specialist by its registered name.
namespace arbor::agents {

struct SampleProgram {
  domain::Manifest manifest;
  domain::Profile profile;
  domain::Recipe recipe;
  std::vector<workspace::CompileCommand> commands;
  Machine machine;
  std::map<std::string, std::string> sources;
  std::map<std::string, std::vector<ports::Loop>> loops;
  bool checks_numbers = true;
  bool has_train = true;
  bool has_analyzer = true;

  SampleProgram() {
    profile.tool = "perf cpu-clock";
    machine.cpus = 8;
    machine.idle_cpus = 6;
  }

  void compile(const std::string& file, const std::vector<std::string>& flags,
               const std::string& tool = "g++") {
    workspace::CompileCommand command;
    command.kind = workspace::CompileCommand::Kind::kCompile;
    command.directory = "/home/user/program";
    command.tool = tool;
    command.original_argv = {tool};
    command.original_argv.insert(command.original_argv.end(), flags.begin(), flags.end());
    command.original_argv.insert(command.original_argv.end(), {"-c", file});
    command.final_argv = command.original_argv;
    command.sources = {file};
    commands.push_back(command);
  }

  void hotspot(const std::string& symbol, const std::string& file, int line, double share,
               const std::string& object = "program") {
    profile.hotspots.push_back({symbol, object, file, line, share, share});
  }

  Evidence evidence() const {
    Evidence evidence{.manifest = manifest,
                      .profile = profile,
                      .recipe = recipe,
                      .commands = commands,
                      .machine = machine,
                      .launch_s = 1,
                      .build_s = 6,
                      .checks_numbers = checks_numbers,
                      .has_train = has_train,
                      .read_source = {},
                      .loops = {}};
    evidence.read_source = [this](const std::string& path) -> base::Result<std::string> {
      const auto found = sources.find(path);
      if (found == sources.end()) return base::fail(base::ErrorKind::kNotFound, "no " + path);
      return found->second;
    };
    if (has_analyzer)
      evidence.loops = [this](const std::string& path) -> base::Result<std::vector<ports::Loop>> {
        const auto found = loops.find(path);
        if (found == loops.end()) return std::vector<ports::Loop>{};
        return found->second;
      };
    return evidence;
  }

  std::vector<domain::Action> propose(std::string_view specialist) const {
    const auto* entry = Specialists::instance().find(specialist);
    if (entry == nullptr) {
      ADD_FAILURE() << "no specialist is registered as " << specialist;
      return {};
    }
    auto actions = entry->create()->propose(evidence(), {});
    EXPECT_EQ(actions, entry->create()->propose(evidence(), {})) << "the order is not fixed";
    for (const auto& action : actions) {
      EXPECT_EQ(action.specialist, specialist);
      EXPECT_FALSE(action.category.empty() || action.strategy.empty()) << action.title;
      EXPECT_FALSE(action.title.empty() || action.rationale.empty()) << action.strategy;
      EXPECT_GT(action.prediction.minutes, 0) << action.title;
      EXPECT_GE(action.prediction.upper_speedup, 1) << action.title;
    }
    return actions;
  }

  base::Result<domain::Change> carry_out(const domain::Action& action) const {
    return Specialists::instance()
        .find(action.specialist)
        ->create()
        ->carry_out(action, evidence(), {});
  }
};

inline std::vector<std::string> strategies(const std::vector<domain::Action>& actions) {
  std::vector<std::string> names;
  for (const auto& action : actions) names.push_back(action.strategy);
  return names;
}

inline domain::Action with_strategy(const std::vector<domain::Action>& actions,
                                    std::string_view strategy) {
  const auto found = std::ranges::find_if(
      actions, [&](const auto& action) { return action.strategy == strategy; });
  if (found != actions.end()) return *found;
  ADD_FAILURE() << "nothing was proposed with strategy " << strategy;
  return {};
}

}  // namespace arbor::agents
