// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agents/specialists/specialist.h"

// How the built-in specialists turn what they found into actions, and actions into changes.
namespace arbor::agents {

// What a specialist expects of one idea; figures without a source beside them are from published
// measurements of CPU programs.
struct Expectation {
  double share = 1;          // of the run that the idea touches
  double speedup = 1;        // of that share
  double upper_speedup = 2;  // of that share, upper 95 %
  double accuracy_risk = 0.02;
  double crash_risk = 0.03;
  int builds = 1;  // 0: only the launch changes; 2: profile-guided
};

// Minutes come from the trunk's own build and launch.
domain::Prediction predict(const Evidence& evidence, const Expectation& expectation);

// Everything that goal.forbid may name of an action: its strategy, its category or the category's
// last word, its specialist, or one of its flags, with or without the leading -f, -m or dashes.
bool is_forbidden(const domain::GoalSection& goal, const domain::Action& action,
                  const std::vector<std::string>& flags = {});

// Flags put on every compile, or on those of some files.
domain::CompilerFlags added_flags(std::vector<std::string> flags,
                                  std::vector<std::string> files = {});

// An action whose change is flags alone. Its parameters hold them; the strategy is the flags as
// text unless given.
domain::Action flag_action(domain::Action draft, const domain::CompilerFlags& flags);
// Any other entries are refused with kUsage: parameters that this specialist did not write.
base::Result<domain::Change> carry_out_flags(const domain::Action& action);

// Flags as they are read in titles: "-fassociative-math -fno-signed-zeros".
std::string flags_text(const std::vector<std::string>& flags);
// 0.4237 → "42.4 %".
std::string percent(double fraction);

// Adds the action unless the goal forbids it or the trunk has all its flags already.
void add_flag_action(std::vector<domain::Action>& actions, const Evidence& evidence,
                     domain::Action draft, const domain::CompilerFlags& flags);
void add_action(std::vector<domain::Action>& actions, const Evidence& evidence,
                domain::Action action);

// One string member of an action's parameters.
base::Result<std::string> parameter(const domain::Action& action, std::string_view name);
std::string parameters_text(
    const std::vector<std::pair<std::string, std::string>>& names_and_values);

}  // namespace arbor::agents
