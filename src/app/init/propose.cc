// SPDX-License-Identifier: Apache-2.0
#include "app/init/propose.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/init/probe.h"
#include "app/init/stable_lines.h"
#include "base/text.h"
#include "measure/accuracy.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostPrograms = 8;
constexpr std::size_t kMostTargets = 20;
constexpr double kCheckLimit_s = 120;
constexpr double kLong_s = 10;  // of a launch: a campaign makes hundreds
constexpr double kEnoughInput_s = 0.5;
constexpr long kLeastLines = 20'000, kMostLines = 20'000'000;

class Proposer {
 public:
  Proposer(const Prober& prober, InitFindings& findings, Terminal& terminal)
      : prober_(prober), findings_(findings), terminal_(terminal) {}

  base::Result<void> bench(const std::vector<std::string>& programs) {
    std::vector<Behaviour> seen;
    for (const auto& program : programs) {
      if (seen.size() == kMostPrograms) break;
      terminal_.status("starting " + program);
      ARBOR_TRY(auto behaviour, behaviour_of(prober_, program));
      seen.push_back(std::move(behaviour));
    }
    const Behaviour* best = best_of(seen);
    if (best == nullptr) {
      explain(seen);
      return {};
    }
    if (best->habit == Habit::kReadsInput) return bench_of_reader(*best);
    fill(findings_.bench, best->command, "the program that the build makes");
    auto& notes = findings_.bench.notes;
    notes.push_back(fmt::format("A guess: {} is what the build makes; it took {} here.",
                                best->program, base::format_duration(best->wall_s)));
    if (best->is_small_problem)
      notes.emplace_back(
          "Without arguments it did not end in time; its own help offers the small problem.");
    if (best->habit == Habit::kSilent) notes.emplace_back("It prints nothing.");
    if (best->exit_code != 0)
      notes.push_back(
          fmt::format("It ends with code {}, and so must a candidate.", best->exit_code));
    sharpen(best->wall_s);
    name_others(seen, *best);
    return {};
  }

  // The bench's own output as the check.
  base::Result<void> check() {
    const std::string command = source_.empty() ? findings_.bench.command : source_;
    terminal_.status("running it twice, to see what stays the same: " + command);
    ARBOR_TRY(const Probe first, prober_.run(command, kCheckLimit_s));
    ARBOR_TRY(const Probe second, prober_.run(command, kCheckLimit_s));
    const bool is_alive = !first.is_timeout && first.exit_code < 126;
    const auto stable = stable_lines(first.output, second.output);
    if (!is_alive || !stable.is_stable || first.exit_code != second.exit_code) {
      findings_.check.notes.push_back(
          is_alive && !first.output.empty()
              ? "What the bench prints is not the same twice, so that it cannot serve as check."
              : "The bench prints nothing that could be compared with the original's.");
      return {};
    }
    const std::string compared = compared_output(command, stable);
    ARBOR_TRY(const bool holds, passes_twice(compared, stable.is_text));
    if (!holds) {
      findings_.check.notes.emplace_back("What the bench prints varies, and cannot be the check.");
      return {};
    }
    fill(findings_.check, compared, "what the bench prints");
    findings_.stdout_rtol = stable.is_text ? kGuessedRtol : 0;
    describe_check(stable, first.exit_code);
    return {};
  }

 private:
  // What works by itself, the one with the most work; else what wants an input.
  static const Behaviour* best_of(const std::vector<Behaviour>& seen) {
    const auto rank = [](const Behaviour& one) {
      switch (one.habit) {
        case Habit::kWorks:
          return one.wall_s >= kEnoughInput_s ? 4 : 2;
        case Habit::kReadsInput:
          return 3;
        case Habit::kSilent:
          return 1;
        case Habit::kNeedsArguments:
        case Habit::kTooLong:
        case Habit::kCrashes:
          return 0;
      }
      return 0;
    };
    const Behaviour* best = nullptr;
    for (const auto& one : seen)
      if (rank(one) > 0 && (best == nullptr || rank(one) > rank(*best) ||
                            (rank(one) == rank(*best) && one.wall_s > best->wall_s)))
        best = &one;
    return best;
  }

  // Numbers, one a line: the only input that needs no file. As many as give it something to do.
  base::Result<void> bench_of_reader(const Behaviour& reader) {
    long lines = kLeastLines;
    ARBOR_TRY(double wall_s, time_of_reader(reader, lines));
    while (wall_s < kEnoughInput_s && lines < kMostLines) {
      const long times = wall_s < kEnoughInput_s / 10 ? 10 : 2;
      lines = std::min(times * lines, kMostLines);
      ARBOR_TRY(wall_s, time_of_reader(reader, lines));
    }
    fill(findings_.bench, fed(reader, lines) + " > /dev/null", "the program that the build makes");
    source_ = fed(reader, lines / 10);  // a check need not take as long
    auto& notes = findings_.bench.notes;
    notes.push_back(fmt::format(
        "A guess: {} reads its standard input and does nothing without. Here it is given numbers,",
        reader.program));
    notes.push_back(
        fmt::format("one a line ({}): give it what your users do, as in \"{} < "
                    "input\".",
                    base::format_duration(wall_s), reader.command));
    sharpen(wall_s);
    return {};
  }

  static std::string fed(const Behaviour& reader, long lines) {
    return fmt::format("seq 1 {} | {}", lines, reader.command);
  }

  base::Result<double> time_of_reader(const Behaviour& reader, long lines) {
    ARBOR_TRY(const Probe probe, prober_.run(fed(reader, lines) + " > /dev/null", kCheckLimit_s));
    return probe.wall_s;
  }

  void sharpen(double wall_s) {
    auto& notes = findings_.bench.notes;
    if (wall_s > kLong_s)
      notes.emplace_back(
          "Sharpen it: a campaign launches it hundreds of times; less work, a "
          "second or two, sees more ideas.");
    else
      notes.emplace_back(
          "Sharpen it: arguments and an input with the work your users wait for, "
          "a second or more.");
    notes.emplace_back(
        "The same with another input as `train` serves profile-guided work, "
        "`holdout` the final judgement.");
  }

  void name_others(const std::vector<Behaviour>& seen, const Behaviour& best) {
    std::vector<std::string> others;
    for (const auto& one : seen)
      if (one.program != best.program) others.push_back(one.program);
    if (!others.empty())
      findings_.bench.notes.push_back("The build also makes " + base::join(others, ", ") + ".");
  }

  void explain(const std::vector<Behaviour>& seen) {
    auto& notes = findings_.bench.notes;
    if (seen.empty()) {
      notes.push_back("The build '" + findings_.build.command +
                      "' makes no program. Name one that does: arbor init --force --build COMMAND");
      auto targets = findings_.targets;
      if (targets.size() > kMostTargets) targets.resize(kMostTargets);
      if (!targets.empty())
        notes.push_back("Targets of the Makefile: " + base::join(targets, ", ") + ".");
    }
    for (const auto& one : seen) notes.push_back(sentence_on(one));
    if (!seen.empty())
      notes.push_back(
          fmt::format("Write how your users run it, for example: command = \"{} "
                      "input.txt\"",
                      seen.front().command));
  }

  static std::string sentence_on(const Behaviour& one) {
    const std::string said = one.said.empty() ? "" : fmt::format(" It said: {}", one.said);
    switch (one.habit) {
      case Habit::kNeedsArguments:
        return fmt::format("{} wants arguments: without any it ended with code {}.{}", one.program,
                           one.exit_code, said);
      case Habit::kTooLong:
        return fmt::format("{} did not end within {}: give it less to do.", one.command,
                           base::format_duration(one.wall_s));
      case Habit::kCrashes:
        return fmt::format("{} was killed by signal {} when it was started without arguments.{}",
                           one.program, one.exit_code - 128, said);
      case Habit::kWorks:
      case Habit::kReadsInput:
      case Habit::kSilent:
        break;
    }
    return one.program + " can be started as it is.";
  }

  static std::string compared_output(const std::string& command, const StableLines& stable) {
    if (!stable.is_text) return command + " | cksum";
    if (stable.dropped.empty()) return command;
    const std::string filter = "grep -avE " + base::shell_quoted(base::join(stable.dropped, "|"));
    return fmt::format("out=$({}); code=$?; printf '%s\\n' \"$out\" | {}; exit $code", command,
                       filter);
  }

  // The proof of the guess: as a campaign would judge it.
  base::Result<bool> passes_twice(const std::string& command, bool is_text) const {
    domain::CheckSection check;
    check.command = command;
    check.outputs = {{"-", is_text ? kGuessedRtol : 0, 0, is_text}};
    ARBOR_TRY(const auto first, prober_.launch(command, kCheckLimit_s));
    const auto reference = measure::check_reference(check, first);
    if (!reference) return false;
    ARBOR_TRY(const auto second, prober_.launch(command, kCheckLimit_s));
    return measure::judge_check(check, *reference, second).is_passed;
  }

  void describe_check(const StableLines& stable, int exit_code) {
    auto& notes = findings_.check.notes;
    notes.push_back(stable.is_text
                        ? "A guess: what the bench prints, compared with what the original prints, "
                          "whole numbers exactly, others to one part in a million."
                        : "A guess: what the bench writes is the same, byte for byte.");
    if (exit_code != 0)
      notes.push_back(
          fmt::format("The original ends with code {}; a candidate that ends with "
                      "another is wrong.",
                      exit_code));
    if (!stable.examples.empty())
      notes.emplace_back("Not compared, as it differs from run to run or tells of the run:");
    for (const auto& example : stable.examples) notes.push_back("  " + base::elided(example, 100));
    notes.emplace_back(
        "Sharpen it: a verification of your own, on inputs that the bench does not "
        "use; set rtol to what users accept.");
  }

  const Prober& prober_;
  InitFindings& findings_;
  Terminal& terminal_;
  std::string source_;  // of the output to compare, where the bench throws it away
};

// A manifest with the build alone, to open a workshop with; nothing is run by the others.
LoadedManifest manifest_to_build(const InitFindings& findings) {
  LoadedManifest loaded;
  loaded.manifest.program.name = findings.program_name;
  loaded.manifest.build.command = findings.build.command;
  loaded.manifest.check.command = "false";
  loaded.manifest.bench.command = "false";
  return loaded;
}

}  // namespace

base::Result<std::optional<Attempt>> propose_missing(const fs::path& root, InitFindings& findings,
                                                     Terminal& terminal, std::stop_token stop) {
  WorkshopOptions options;
  options.is_in_memory = true;
  ARBOR_TRY(const auto workshop, open_workshop(root, manifest_to_build(findings), options));
  ARBOR_TRY(auto built, try_build(*workshop, terminal, stop));
  if (auto* failure = std::get_if<Attempt>(&built)) return std::move(*failure);
  const auto& tree = std::get<workspace::BuiltTree>(built);
  const Prober prober(*workshop, tree, stop);
  Proposer proposer(prober, findings, terminal);
  if (findings.bench.command.empty()) {
    const auto programs = programs_of(*workshop, tree);
    findings.executables = programs;
    ARBOR_TRY_VOID(proposer.bench(programs));
  }
  if (findings.check.command.empty() && !findings.bench.command.empty())
    ARBOR_TRY_VOID(proposer.check());
  return std::nullopt;
}

}  // namespace arbor::app
