// SPDX-License-Identifier: Apache-2.0
#include "app/init/try_commands.h"

#include <fmt/format.h>

#include "base/text.h"
#include "measure/accuracy.h"
#include "measure/launch_record.h"

namespace arbor::app {
namespace {

constexpr std::size_t kLastLines = 12;
constexpr double kShortBench_s = 0.2;  // below that the start of the process is much of the time

std::string last_lines_of(const std::string& output) {
  const std::string printable = base::printable(output);
  auto lines = base::lines_of(base::trim(printable));
  if (lines.size() > kLastLines) lines.erase(lines.begin(), lines.end() - kLastLines);
  std::string text;
  for (const auto line : lines) text += base::elided(line, 300) + "\n";
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

// The commands of a manifest on the tree that its build made.
class Trial {
 public:
  Trial(Workshop& workshop, const workspace::BuiltTree& tree, std::stop_token stop)
      : workshop_(workshop), tree_(tree), stop_(std::move(stop)) {}

  base::Result<Attempt> check() {
    const auto& check = workshop_.manifest.check;
    ARBOR_TRY(const auto outcome, launch(check, measure::files_to_collect(check)));
    const auto reference = measure::check_reference(check, outcome);
    if (!reference) return failed_check(outcome, reference.error().message);
    code_ = reference->exit_code;
    Attempt attempt = passed("check", outcome);
    if (check.outputs.empty()) return attempt;
    ARBOR_TRY(const auto again, launch(check, measure::files_to_collect(check)));
    const auto answer = measure::judge_check(check, *reference, again);
    return answer.is_passed ? attempt
                            : failed_check(again, "it differs from run to run: " + answer.detail);
  }

  // The bench may end with the code that the check is used to.
  base::Result<Attempt> bench() {
    const auto& bench = workshop_.manifest.bench;
    ARBOR_TRY(const auto outcome, launch(bench, measure::files_to_collect(bench)));
    if (outcome.is_timeout || (outcome.exit_code != 0 && outcome.exit_code != code_))
      return failed("bench", outcome.exit_code, outcome.is_timeout, bench.timeout_s,
                    outcome.standard_output + outcome.standard_error);
    Attempt attempt = passed("bench", outcome);
    if (attempt.seconds < kShortBench_s)
      attempt.advice =
          "It is short: give it enough to do for a second or so, or small gains cannot be proved.";
    return attempt;
  }

 private:
  template <typename Section>
  base::Result<ports::LaunchOutcome> launch(const Section& section,
                                            std::vector<std::string> collect) {
    workspace::Builder::LaunchOrder order;
    order.command = section.command;
    order.timeout_s = section.timeout_s;
    order.harness = section.harness;
    order.collect = std::move(collect);
    return launch_on(workshop_, tree_, std::move(order), stop_);
  }

  Attempt failed_check(const ports::LaunchOutcome& outcome, const std::string& why) const {
    const auto& check = workshop_.manifest.check;
    Attempt attempt = failed("check", outcome.exit_code, outcome.is_timeout, check.timeout_s,
                             outcome.standard_output + outcome.standard_error);
    if (outcome.exit_code == 0 && !outcome.is_timeout) attempt.ended = why;
    return attempt;
  }

  static Attempt passed(const std::string& role, const ports::LaunchOutcome& outcome) {
    return {role, true, static_cast<double>(outcome.wall_ns) / 1e9, "", "", ""};
  }

  Workshop& workshop_;
  const workspace::BuiltTree& tree_;
  std::stop_token stop_;
  int code_ = 0;
};

}  // namespace

base::Result<ports::LaunchOutcome> launch_on(Workshop& workshop, const workspace::BuiltTree& tree,
                                             workspace::Builder::LaunchOrder order,
                                             std::stop_token stop) {
  order.tree = order.judge = &tree;
  order.seed = 1;
  ARBOR_TRY(const auto request, workshop.builder->launch_request(order));
  ARBOR_TRY(auto outcome, workshop.sandbox->launch(request, std::move(stop)));
  workshop.builder->name_as_ordered(outcome);
  return outcome;
}

base::Result<std::variant<workspace::BuiltTree, Attempt>> try_build(Workshop& workshop,
                                                                    Terminal& terminal,
                                                                    std::stop_token stop) {
  const auto& build = workshop.manifest.build;
  terminal.status("trying to build: " + build.command);
  workspace::BuildOrder order;
  ARBOR_TRY(order.commit, workshop.repository->baseline_commit(false));
  order.purpose = "init";
  ARBOR_TRY(auto built, workshop.builder->build(order, stop));
  if (const auto* failure = std::get_if<workspace::BuildFailure>(&built))
    return failed("build", failure->exit_code, failure->is_timeout, build.timeout_s, failure->log);
  return std::get<workspace::BuiltTree>(std::move(built));
}

base::Result<std::vector<Attempt>> try_commands(Workshop& workshop, Terminal& terminal,
                                                std::stop_token stop) {
  ARBOR_TRY(auto built, try_build(workshop, terminal, stop));
  if (auto* failure = std::get_if<Attempt>(&built)) return std::vector{std::move(*failure)};
  const auto& tree = std::get<workspace::BuiltTree>(built);
  std::vector<Attempt> attempts = {{"build", true, tree.build_s, "", "", ""}};
  Trial trial(workshop, tree, stop);
  terminal.status("trying the check: " + workshop.manifest.check.command);
  ARBOR_TRY(auto check, trial.check());
  attempts.push_back(std::move(check));
  if (!attempts.back().is_ok) return attempts;
  terminal.status("trying the bench: " + workshop.manifest.bench.command);
  ARBOR_TRY(auto bench, trial.bench());
  attempts.push_back(std::move(bench));
  return attempts;
}

}  // namespace arbor::app
