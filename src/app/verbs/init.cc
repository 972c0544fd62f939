// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/init/inspect.h"
#include "app/init/propose.h"
#include "app/init/try_commands.h"
#include "app/verbs/verbs.h"
#include "app/wiring.h"
#include "base/files.h"
#include "base/text.h"
#include "workspace/arbor_folder.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

// Asks for a command that was not found; empty when the user may not or does not answer.
std::string ask_for(const std::string& what, const std::string& example, Terminal& terminal) {
  if (!terminal.setup().may_ask) return "";
  terminal.log(fmt::format("I found no {} command. What is it? (for example: {})", what, example));
  std::string answer;
  std::getline(std::cin, answer);
  return std::string(base::trim(answer));
}

void complete(InitFindings& findings, Terminal& terminal) {
  if (findings.build.command.empty())
    fill(findings.build, ask_for("build", "make -j2", terminal), "your answer");
  if (findings.check.command.empty())
    fill(findings.check, ask_for("check", "make check", terminal), "your answer");
  if (findings.bench.command.empty())
    fill(findings.bench, ask_for("bench", "./build/program input.txt", terminal), "your answer");
}

bool is_complete(const InitFindings& findings) {
  return !findings.build.command.empty() && !findings.check.command.empty() &&
         !findings.bench.command.empty();
}

// What came of trying the commands that were found.
struct TryOut {
  std::vector<Attempt> attempts;
  std::optional<base::Error> obstacle;  // why it ended before all were tried

  bool is_ok() const { return !obstacle && !attempts.empty() && attempts.back().is_ok; }
};

TryOut try_out(const fs::path& root, Terminal& terminal) {
  TryOut tried;
  const auto attempted = [&]() -> base::Result<void> {
    ARBOR_TRY(auto loaded, load_manifest(root));
    WorkshopOptions options;
    options.is_in_memory = true;
    ARBOR_TRY(const auto workshop, open_workshop(root, std::move(loaded), options));
    ARBOR_TRY(tried.attempts, try_commands(*workshop, terminal, interrupted()));
    return {};
  }();
  terminal.clear_status();
  if (!attempted) tried.obstacle = attempted.error();
  return tried;
}

// Fills what is missing from what the build makes; what came of it where that is a failure.
std::optional<TryOut> guess(const fs::path& root, InitFindings& findings, Terminal& terminal) {
  auto failure = propose_missing(root, findings, terminal, interrupted());
  terminal.clear_status();
  TryOut tried;
  if (!failure)
    tried.obstacle = failure.error();
  else if (*failure)
    tried.attempts.push_back(std::move(**failure));
  else
    return std::nullopt;
  return tried;
}

base::Json tried_json(const std::optional<TryOut>& tried) {
  if (!tried) return nullptr;
  base::Json list = base::Json::array();
  for (const auto& attempt : tried->attempts)
    list.push_back({{"command", attempt.role},
                    {"ok", attempt.is_ok},
                    {"seconds", attempt.is_ok ? base::Json(attempt.seconds) : base::Json(nullptr)},
                    {"ended", attempt.ended},
                    {"last_lines", attempt.last_lines},
                    {"advice", attempt.advice}});
  return {
      {"attempts", list},
      {"obstacle", tried->obstacle ? base::Json(tried->obstacle->message) : base::Json(nullptr)}};
}

std::string attempt_text(const Attempt& attempt, const Terminal& terminal) {
  std::string text =
      attempt.is_ok
          ? fmt::format("{}  {}  {}\n", terminal.green("ok    "), attempt.role,
                        base::format_duration(attempt.seconds))
          : fmt::format("{}  {}  {}\n", terminal.red("failed"), attempt.role, attempt.ended);
  for (const auto line : base::lines_of(attempt.last_lines))
    text += fmt::format("        | {}\n", line);
  if (!attempt.advice.empty()) text += fmt::format("        {}\n", attempt.advice);
  return text;
}

std::string notes_text(const FoundCommand& found) {
  std::string text;
  for (const auto& note : found.notes) text += fmt::format("         {}\n", base::printable(note));
  return text;
}

void print_findings(const fs::path& target, const InitFindings& findings,
                    const std::optional<TryOut>& tried, Terminal& terminal) {
  if (terminal.is_json()) {
    terminal.print_json(
        {{"schema", "arbor.init/1"},
         {"manifest", target.empty() ? base::Json(nullptr) : base::Json(target.string())},
         {"build", findings.build.command},
         {"check", findings.check.command},
         {"bench", findings.bench.command},
         {"notes", {{"check", findings.check.notes}, {"bench", findings.bench.notes}}},
         {"tried", tried_json(tried)}});
    return;
  }
  const auto shown = [](const std::string& command) {
    return command.empty() ? "not found" : base::printable(command);
  };
  std::string text = target.empty() ? "" : fmt::format("wrote {}\n", target.string());
  text += fmt::format("  build  {}\n  check  {}\n{}  bench  {}\n{}", shown(findings.build.command),
                      shown(findings.check.command), notes_text(findings.check),
                      shown(findings.bench.command), notes_text(findings.bench));
  if (tried) {
    text += "\n";
    for (const auto& attempt : tried->attempts) text += attempt_text(attempt, terminal);
  }
  terminal.print(text);
}

// Says what to do next and gives the exit code.
int conclude(const InitFindings& findings, const std::optional<TryOut>& tried, Terminal& terminal) {
  if (!is_complete(findings)) {
    if (tried && tried->obstacle && !terminal.is_json())
      terminal.log("The build could not be tried: " + base::printable(tried->obstacle->message));
    terminal.log(
        "Fill in what was not found, then run 'arbor init --try' to see whether it works.");
    return kExitUsage;
  }
  if (tried && tried->obstacle) {
    if (terminal.is_json()) return exit_code_of(tried->obstacle->kind);
    terminal.log("The commands could not be tried:");
    return terminal.fail(*tried->obstacle);
  }
  if (tried && !tried->is_ok()) {
    terminal.log("Mend arbor.toml, then run 'arbor init --try' to see whether it works now.");
    return tried->attempts.back().role == "check" ? kExitBaselineFails : kExitUsage;
  }
  terminal.log("Read it, then run 'arbor run --budget 15m'.");
  return kExitDone;
}

// The manifest as it is now, edited by hand since it was written.
int try_again(const fs::path& root, Terminal& terminal) {
  const auto loaded = load_manifest(root);
  if (!loaded) return terminal.fail(loaded.error());
  InitFindings findings;
  findings.build.command = loaded->manifest.build.command;
  findings.check.command = loaded->manifest.check.command;
  findings.bench.command = loaded->manifest.bench.command;
  const TryOut tried = try_out(root, terminal);
  print_findings("", findings, tried, terminal);
  return conclude(findings, tried, terminal);
}

// Commands that the user gave need not be found.
void take_given(const Arguments& arguments, InitFindings& findings) {
  const auto take = [&](const char* option, FoundCommand& found) {
    if (const auto given = arguments.value(option)) found = {*given, std::string(option)};
  };
  take("--build", findings.build);
  take("--check", findings.check);
  take("--bench", findings.bench);
}

int run(const Arguments& arguments, Terminal& terminal) {
  interrupted();
  const fs::path root = fs::absolute(arguments.value("-C").value_or(".")).lexically_normal();
  const fs::path target = root / kManifestName;
  if (auto usable = workspace::Repository::check_program(root); !usable)
    return terminal.fail(usable.error());
  if (auto own = workspace::check_arbor_folder(root / ".arbor"); !own)
    return terminal.fail(own.error());
  if (arguments.has("--try")) return try_again(root, terminal);
  if (fs::exists(target) && !arguments.has("--force"))
    return terminal.fail(
        {base::ErrorKind::kUsage,
         fmt::format("'{}' is here already; --force writes a new one over it", target.string())});
  auto findings = inspect_program(root);
  if (!findings) return terminal.fail(findings.error());
  take_given(arguments, *findings);
  const bool may_ask = !arguments.has("--yes");
  if (may_ask && findings->build.command.empty())
    fill(findings->build, ask_for("build", "make -j2", terminal), "your answer");
  std::optional<TryOut> tried;
  const bool may_run = !arguments.has("--no-try");
  if (may_run && !findings->build.command.empty() && !is_complete(*findings))
    tried = guess(root, *findings, terminal);
  if (may_ask) complete(*findings, terminal);
  if (auto written = base::write_file_durable(target, commented_manifest(*findings)); !written)
    return terminal.fail(written.error());
  if (may_run && is_complete(*findings)) tried = try_out(root, terminal);
  print_findings(target, *findings, tried, terminal);
  return conclude(*findings, tried, terminal);
}

}  // namespace

Verb init_verb() {
  return {"init",
          "Write an arbor.toml for this repository: finds build, check and bench, and tries them",
          "arbor init\narbor init --yes -C path/to/program\narbor init --yes --build 'make cg "
          "CLASS=A'",
          {{"--yes", "", "ask nothing; guess from what the build makes, leave out the rest"},
           {"--build", "COMMAND", "the command that builds it"},
           {"--check", "COMMAND", "the command that proves its results right"},
           {"--bench", "COMMAND", "the command to be made faster"},
           {"--no-try", "", "do not run the commands in the sandbox"},
           {"--try", "", "write nothing: run the commands of the arbor.toml that is here"},
           {"--force", "", "write over an arbor.toml that is here"}},
          {},
          run};
}

}  // namespace arbor::app
