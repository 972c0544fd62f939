// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "base/check.h"
#include "workspace/assembly.h"
#include "workspace/builder_state.h"

// What makes a candidate impossible to launch: looked at before anything is put together, because
// it is the candidate's own fault and no failure of the world.
namespace arbor::workspace {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxNameBytes = 255;

bool is_below(const fs::path& path, std::string_view folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && name.size() <= kMaxNameBytes && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool has_zero(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::optional<std::string> settings_problem(const Assembly& assembly) {
  for (const auto& [name, value] : assembly.environment) {
    if (!is_variable_name(name)) return fmt::format("'{}' is no name of a variable", name);
    if (has_zero(value)) return fmt::format("the value of {} holds a zero byte", name);
  }
  for (const auto& [knob, value] : assembly.knob_values)
    if (has_zero(value)) return fmt::format("the value of knob {} holds a zero byte", knob);
  return std::nullopt;
}

// LD_PRELOAD separates by spaces and colons and knows no quoting.
std::optional<std::string> preload_problem(const Assembly& assembly) {
  for (const auto& library : assembly.preloads) {
    if (library.find_first_of(" :") != std::string::npos || has_zero(library))
      return fmt::format("the loader cannot preload '{}': its path holds a space or a colon",
                         library);
    std::error_code failed;
    if (is_hidden(library) && !fs::is_regular_file(library, failed))
      return fmt::format("there is no library '{}' to preload", library);
  }
  return std::nullopt;
}

}  // namespace

Assembly assembled(const domain::Recipe& recipe) {
  Assembly assembly;
  for (const auto& entry : recipe.entries) {
    if (const auto* variable = std::get_if<domain::EnvironmentVariable>(&entry))
      assembly.environment[variable->name] = variable->value;
    else if (const auto* knob = std::get_if<domain::KnobValue>(&entry))
      assembly.knob_values[knob->knob] = knob->value;
    else if (const auto* preload = std::get_if<domain::Preload>(&entry))
      if (std::ranges::find(assembly.preloads, preload->library) == assembly.preloads.end())
        assembly.preloads.push_back(preload->library);
  }
  return assembly;
}

bool is_hidden(const fs::path& path) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"/home", "/root", "/run", "/mnt", "/media", "/tmp",
                                              "/var/tmp"},
      [&](std::string_view folder) { return is_below(path, folder); });
}

std::optional<std::string> Builder::State::knob_problem(const LaunchOrder& order,
                                                        const Assembly& assembly) const {
  for (const auto& [name, value] : assembly.knob_values)
    if (domain::find_knob(setup.manifest.knobs, name) == nullptr)
      return fmt::format("the manifest has no knob '{}'", name);
  for (const auto& knob : setup.manifest.knobs) {
    if (knob.kind != domain::KnobKind::kFileTemplate) continue;
    const fs::path path = (repository.program_folder() / knob.file).lexically_normal();
    if (const auto place = check_place(order.tree->folder, path, PlaceFor::kFile); !place)
      return place.error().message;
    std::error_code failed;
    if (!fs::is_regular_file(fs::symlink_status(order.tree->folder / path, failed)))
      return fmt::format("'{}', which knob {} is filled into, is gone", path.string(), knob.name);
  }
  return std::nullopt;
}

std::optional<LaunchRefusal> Builder::State::refusal(const LaunchOrder& order) {
  ARBOR_CHECK(order.tree != nullptr, "a launch needs a built tree");
  if (const auto judges = judges_part(order); !judges)
    return LaunchRefusal{"tampered-harness", judges.error().message};
  const Assembly assembly = assembled(order.recipe);
  for (auto problem :
       {settings_problem(assembly), preload_problem(assembly), knob_problem(order, assembly)})
    if (problem) return LaunchRefusal{"launch-refused", std::move(*problem)};
  return std::nullopt;
}

std::optional<LaunchRefusal> Builder::launch_refusal(const LaunchOrder& order) const {
  return state_->refusal(order);
}

}  // namespace arbor::workspace
