// SPDX-License-Identifier: Apache-2.0
#include "app/init/probe.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "app/init/project.h"
#include "app/init/stable_lines.h"
#include "app/init/try_commands.h"
#include "base/pattern.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr double kLimit_s = 30;
constexpr double kSmallLimit_s = 60;
constexpr double kHelpLimit_s = 5;
constexpr double kAtOnce_s = 0.5;  // what takes longer has found something to do
constexpr std::size_t kFirstWords = 240;

std::string first_words(const Probe& probe) {
  const auto text = std::string(base::trim(probe.errors.empty() ? probe.output : probe.errors));
  std::string line = base::printable(text);
  std::ranges::replace(line, '\n', ' ');
  return base::elided(line, kFirstWords);
}

bool asks_for_arguments(const Probe& probe) {
  static const base::Pattern kWords(
      R"(\busage\b|missing (argument|operand|file|input)|too few arguments|no input|)"
      R"(expects? .{0,20}(argument|file)|(argument|file|option)s? (is|are) required)",
      base::Pattern::Case::kIgnored);
  const std::string text = (probe.output + probe.errors).substr(0, 4000);
  return kWords.is_in(text) && probe.wall_s < kAtOnce_s;
}

Habit habit_of(const Probe& probe) {
  if (probe.is_timeout) return Habit::kTooLong;
  if (probe.exit_code > 128) return Habit::kCrashes;
  if (asks_for_arguments(probe)) return Habit::kNeedsArguments;
  const bool is_silent = base::trim(probe.output).empty();
  if (is_silent && probe.exit_code != 0) return Habit::kNeedsArguments;
  return is_silent ? Habit::kSilent : Habit::kWorks;
}

// Whether it makes something else of an input than of none.
base::Result<bool> reads_input(const Prober& prober, const std::string& command,
                               const Probe& first) {
  ARBOR_TRY(const Probe again, prober.run(command, kLimit_s));
  ARBOR_TRY(const Probe fed, prober.run("seq 1 1000 | " + command, kLimit_s));
  return fed.exit_code == 0 && !fed.is_timeout && !fed.output.empty() &&
         differs_beyond_chance(first.output, again.output, fed.output);
}

base::Result<std::string> help_of_program(const Prober& prober, const std::string& command) {
  std::string text;
  for (const char* option : {" --help", " -h"}) {
    ARBOR_TRY(const Probe probe, prober.run(command + option, kHelpLimit_s));
    text += probe.output + "\n" + probe.errors + "\n";
  }
  return text;
}

bool is_program(const fs::path& file) {
  std::array<char, 18> head{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(head.data(), head.size())) return false;
  const bool is_elf = std::string_view(head.data(), 4) ==
                      "\x7f"
                      "ELF";
  const int type = head[16];  // 2 = executable, 3 = shared or position-independent executable
  const bool is_library = file.filename().string().find(".so") != std::string::npos;
  return is_elf && (type == 2 || type == 3) && !is_library;
}

bool is_aside(const std::string& name) {
  return names_a_check(name) || name.starts_with("example");
}

}  // namespace

base::Result<ports::LaunchOutcome> Prober::launch(const std::string& command,
                                                  double limit_s) const {
  workspace::Builder::LaunchOrder order;
  order.command = command;
  order.timeout_s = limit_s;
  return launch_on(workshop_, tree_, std::move(order), stop_);
}

base::Result<Probe> Prober::run(const std::string& command, double limit_s) const {
  ARBOR_TRY(auto outcome, launch(command, limit_s));
  return Probe{outcome.exit_code, outcome.is_timeout, static_cast<double>(outcome.wall_ns) / 1e9,
               std::move(outcome.standard_output), std::move(outcome.standard_error)};
}

std::string small_problem(const std::string& usage) {
  static const base::Pattern kOption(
      R"(^\s*(-{1,2}[A-Za-z][A-Za-z0-9_-]*)(?:[ =,|].*)?\b(small|tiny)\s*[,|/)])");
  for (const auto line : base::lines_of(usage)) {
    if (const auto found = kOption.find(line.substr(0, 300))) {
      const std::string option(found->at(1));
      return option + (option.starts_with("--") ? "=" : " ") + std::string(found->at(2));
    }
  }
  return "";
}

base::Result<Behaviour> behaviour_of(const Prober& prober, const std::string& program) {
  Behaviour behaviour;
  behaviour.program = program;
  behaviour.command = base::shell_quoted(program.contains('/') ? program : "./" + program);
  ARBOR_TRY(Probe probe, prober.run(behaviour.command, kLimit_s));
  if (probe.is_timeout) {
    ARBOR_TRY(const std::string usage, help_of_program(prober, behaviour.command));
    if (const auto arguments = small_problem(usage); !arguments.empty()) {
      behaviour.command += " " + arguments;
      behaviour.is_small_problem = true;
      ARBOR_TRY(probe, prober.run(behaviour.command, kSmallLimit_s));
    }
  }
  behaviour.habit = habit_of(probe);
  behaviour.exit_code = probe.exit_code;
  behaviour.wall_s = probe.wall_s;
  behaviour.said = first_words(probe);
  const bool may_read = behaviour.habit == Habit::kWorks || behaviour.habit == Habit::kSilent;
  if (may_read && probe.wall_s < kAtOnce_s) {
    ARBOR_TRY(const bool is_reader, reads_input(prober, behaviour.command, probe));
    if (is_reader) behaviour.habit = Habit::kReadsInput;
  }
  return behaviour;
}

std::vector<std::string> programs_of(const Workshop& workshop, const workspace::BuiltTree& tree) {
  std::vector<std::string> found;
  for (const auto& artefact : tree.artefacts)
    if (!artefact.path.empty() && is_program(tree.folder / artefact.path))
      found.push_back(fs::path(artefact.path)
                          .lexically_relative(workshop.repository->program_folder())
                          .generic_string());
  const auto name = [](const std::string& path) { return fs::path(path).filename().string(); };
  const auto is_variant = [&](const std::string& path) {
    return std::ranges::any_of(found, [&](const std::string& other) {
      return other != path && name(path).starts_with(name(other)) && name(other).size() > 2;
    });
  };
  std::vector<std::string> plain;
  for (const auto& path : found)
    if (!is_aside(name(path)) && !is_variant(path)) plain.push_back(path);
  return plain.empty() ? found : plain;
}

}  // namespace arbor::app
