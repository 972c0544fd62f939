// SPDX-License-Identifier: Apache-2.0
#include "agents/specialists/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/specialists/evidence_view.h"
#include "base/json.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

// Launches of a typical trial: proof, check, about a dozen pairs and their confirmation.
constexpr double kLaunchesPerTrial = 30;
constexpr double kOverheadSeconds = 3;

std::string_view without_dashes(std::string_view word) {
  while (word.starts_with('-')) word.remove_prefix(1);
  return word;
}

// "-ffast-math", "ffast-math" and "fast-math" are one name.
bool names_flag(std::string_view word, std::string_view flag) {
  if (word == flag || without_dashes(word) == without_dashes(flag)) return true;
  const bool is_letter_flag = flag.starts_with("-f") || flag.starts_with("-m");
  return is_letter_flag && flag.substr(2) == word;
}

bool names_action(std::string_view word, const domain::Action& action) {
  if (word == action.strategy || word == action.category || word == action.specialist) return true;
  if (names_flag(word, action.strategy)) return true;
  const auto dot = action.category.rfind('.');
  return dot != std::string::npos && std::string_view(action.category).substr(dot + 1) == word;
}

base::Json text_list(const std::vector<std::string>& texts) {
  auto list = base::Json::array();
  for (const auto& text : texts) list.push_back(text);
  return list;
}

base::Result<std::vector<std::string>> read_list(const base::Json& json, const char* name) {
  std::vector<std::string> texts;
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array())
    return base::fail(base::ErrorKind::kUsage, fmt::format("parameters lack the list {}", name));
  for (const auto& text : *found) {
    if (!text.is_string())
      return base::fail(base::ErrorKind::kUsage, fmt::format("{} must hold texts only", name));
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

}  // namespace

domain::Prediction predict(const Evidence& evidence, const Expectation& expectation) {
  domain::Prediction prediction;
  prediction.touched_share = std::clamp(expectation.share, 0.0, 1.0);
  prediction.local_speedup = expectation.speedup;
  const double kept_time =
      1 - prediction.touched_share * (1 - 1 / std::max(expectation.upper_speedup, 0.01));
  prediction.upper_speedup = 1 / std::max(kept_time, 0.01);
  const double launches_s = kLaunchesPerTrial * evidence.launch_s;
  // Confirmation builds once more.
  const double builds_s = 2 * expectation.builds * evidence.build_s;
  prediction.minutes = (kOverheadSeconds + launches_s + builds_s) / 60;
  prediction.accuracy_risk = expectation.accuracy_risk;
  prediction.crash_risk = expectation.crash_risk;
  return prediction;
}

bool is_forbidden(const domain::GoalSection& goal, const domain::Action& action,
                  const std::vector<std::string>& flags) {
  return std::ranges::any_of(goal.forbid, [&](const std::string& word) {
    return names_action(word, action) ||
           std::ranges::any_of(flags, [&](const auto& flag) { return names_flag(word, flag); });
  });
}

std::string flags_text(const std::vector<std::string>& flags) { return base::join(flags, " "); }

domain::CompilerFlags added_flags(std::vector<std::string> flags, std::vector<std::string> files) {
  domain::CompilerFlags added;
  added.add = std::move(flags);
  added.files = std::move(files);
  return added;
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

domain::Action flag_action(domain::Action draft, const domain::CompilerFlags& flags) {
  if (draft.strategy.empty()) draft.strategy = flags_text(flags.add);
  const base::Json parameters = {{"add", text_list(flags.add)},
                                 {"remove", text_list(flags.remove)},
                                 {"files", text_list(flags.files)},
                                 {"reaches_link", flags.reaches_link}};
  draft.parameters = base::dump_json(parameters);
  return draft;
}

base::Result<domain::Change> carry_out_flags(const domain::Action& action) {
  ARBOR_TRY(const auto json, base::parse_json(action.parameters, "parameters of " + action.title));
  domain::CompilerFlags flags;
  ARBOR_TRY(flags.add, read_list(json, "add"));
  ARBOR_TRY(flags.remove, read_list(json, "remove"));
  ARBOR_TRY(flags.files, read_list(json, "files"));
  const auto link = json.find("reaches_link");
  if (link == json.end() || !link->is_boolean())
    return base::fail(base::ErrorKind::kUsage, "parameters lack the truth value reaches_link");
  flags.reaches_link = link->get<bool>();
  return domain::Change{.entries = {flags}, .summary = action.title};
}

void add_action(std::vector<domain::Action>& actions, const Evidence& evidence,
                domain::Action action) {
  if (!is_forbidden(evidence.manifest.goal, action)) actions.push_back(std::move(action));
}

void add_flag_action(std::vector<domain::Action>& actions, const Evidence& evidence,
                     domain::Action draft, const domain::CompilerFlags& flags) {
  const auto covers = [&](const std::string& file) { return has_flags(evidence, flags.add, file); };
  const bool is_present = flags.files.empty() ? has_flags(evidence, flags.add)
                                              : std::ranges::all_of(flags.files, covers);
  if (is_present && flags.remove.empty()) return;
  auto action = flag_action(std::move(draft), flags);
  if (!is_forbidden(evidence.manifest.goal, action, flags.add))
    actions.push_back(std::move(action));
}

base::Result<std::string> parameter(const domain::Action& action, std::string_view name) {
  ARBOR_TRY(const auto json, base::parse_json(action.parameters, "parameters of " + action.title));
  const auto found = json.find(std::string(name));
  if (found == json.end() || !found->is_string())
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("parameters of \"{}\" lack the text {}", action.title, name));
  return found->get<std::string>();
}

std::string parameters_text(
    const std::vector<std::pair<std::string, std::string>>& names_and_values) {
  auto json = base::Json::object();
  for (const auto& [name, value] : names_and_values) json[name] = value;
  return base::dump_json(json);
}

}  // namespace arbor::agents
