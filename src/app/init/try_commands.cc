// SPDX-License-Identifier: Apache-2.0
#include "app/init/try_commands.h"

#include <fmt/format.h>

#include "base/text.h"

namespace arbor::app {
namespace {

constexpr std::size_t kLastLines = 12;
constexpr double kShortBench_s = 0.2;  // below that the start of the process is much of the time

std::string last_lines_of(const std::string& output) {
  const std::string printable = base::printable(output);
  auto lines = base::lines_of(base::trim(printable));
  if (lines.size() > kLastLines) lines.erase(lines.begin(), lines.end() - kLastLines);
  std::string text;
  for (const auto line : lines) text += base::shortened(line, 300) + "\n";
  return text;
}

// How a command that failed is usually mended, told by how it ended.
std::string advice_for(const std::string& role, int exit_code, const std::string& output) {
  if (exit_code == 127 || output.find("not found") != std::string::npos)
    return fmt::format(
        "A program or file is missing in the sandbox. Files that git does not track are not there: "
        "name them in [program] inputs; a toolchain under /home goes into [sandbox] read. Else "
        "mend "
        "[{}] command.",
        role);
  if (output.find("resolve host") != std::string::npos ||
      output.find("Network is unreachable") != std::string::npos)
    return "It wants the network, which the sandbox has not: fetch what it needs before, name it "
           "in "
           "[program] inputs, or allow it with [sandbox] network = true.";
  if (role == "check")
    return "The unchanged program must pass its check: mend [check] command, or let it compare "
           "with "
           "the original instead ([check] score or outputs).";
  return fmt::format(
      "Mend [{}] command in arbor.toml. It runs by 'sh -c' in the program's folder, in a checkout "
      "of "
      "the last commit.",
      role);
}

std::string how_it_ended(int exit_code, bool is_timeout, double timeout_s) {
  return is_timeout ? "did not end within " + base::format_duration(timeout_s)
                    : fmt::format("ended with code {}", exit_code);
}

Attempt failed(const std::string& role, int exit_code, bool is_timeout, double timeout_s,
               const std::string& output) {
  Attempt attempt;
  attempt.role = role;
  attempt.ended = how_it_ended(exit_code, is_timeout, timeout_s);
  attempt.last_lines = last_lines_of(output);
  attempt.advice = is_timeout ? fmt::format("Give it more with [{}] timeout, or less to do.", role)
                              : advice_for(role, exit_code, output);
  return attempt;
}

struct Command {
  std::string role, command;
  double timeout_s = 0;
  std::vector<std::string> harness;
};

base::Result<Attempt> try_launch(Workshop& workshop, const workspace::BuiltTree& tree,
                                 const Command& command, std::stop_token stop) {
  workspace::Builder::LaunchOrder order;
  order.tree = &tree;
  order.judge = &tree;
  order.command = command.command;
  order.timeout_s = command.timeout_s;
  order.seed = 1;
  order.harness = command.harness;
  ARBOR_TRY(const auto request, workshop.builder->launch_request(order));
  ARBOR_TRY(const auto outcome, workshop.sandbox->launch(request, stop));
  if (outcome.exit_code != 0 || outcome.is_timeout)
    return failed(command.role, outcome.exit_code, outcome.is_timeout, command.timeout_s,
                  outcome.standard_output + outcome.standard_error);
  Attempt attempt;
  attempt.role = command.role;
  attempt.is_ok = true;
  attempt.seconds = static_cast<double>(outcome.wall_ns) / 1e9;
  if (command.role == "bench" && attempt.seconds < kShortBench_s)
    attempt.advice =
        "It is short: give it enough to do for a second or so, or small gains cannot be proved.";
  return attempt;
}

}  // namespace

base::Result<std::vector<Attempt>> try_commands(Workshop& workshop, Terminal& terminal,
                                                std::stop_token stop) {
  std::vector<Attempt> attempts;
  const auto& manifest = workshop.manifest;
  terminal.status("trying to build: " + manifest.build.command);
  workspace::BuildOrder order;
  ARBOR_TRY(order.commit, workshop.repository->baseline_commit(false));
  order.purpose = "init";
  ARBOR_TRY(const auto built, workshop.builder->build(order, stop));
  if (const auto* failure = std::get_if<workspace::BuildFailure>(&built)) {
    attempts.push_back(failed("build", failure->exit_code, failure->is_timeout,
                              manifest.build.timeout_s, failure->log));
    return attempts;
  }
  const auto& tree = std::get<workspace::BuiltTree>(built);
  attempts.push_back({"build", true, tree.build_s, "", "", ""});
  const Command commands[] = {
      {"check", manifest.check.command, manifest.check.timeout_s, manifest.check.harness},
      {"bench", manifest.bench.command, manifest.bench.timeout_s, manifest.bench.harness}};
  for (const auto& command : commands) {
    terminal.status(fmt::format("trying the {}: {}", command.role, command.command));
    ARBOR_TRY(auto attempt, try_launch(workshop, tree, command, stop));
    attempts.push_back(std::move(attempt));
    if (!attempts.back().is_ok) break;
  }
  return attempts;
}

}  // namespace arbor::app
