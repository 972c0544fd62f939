// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/machine.h"
#include "app/report/report.h"
#include "app/verbs/verbs.h"
#include "app/wiring.h"
#include "base/files.h"
#include "base/random.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "measure/statistics.h"
#include "ports/executor/measuring_lock.h"

namespace arbor::app {
namespace {

struct Settings {
  int runs = 20;
  int warmup = 1;
  std::uint64_t seed = 1;
  bool ignores_failure = false;
};

base::Result<int> count_option(const Arguments& arguments, const std::string& name, int fallback,
                               int least) {
  const auto text = arguments.value(name);
  if (!text) return fallback;
  const auto number = base::parse_number(*text);
  if (!number || *number < least || *number > 100000 || *number != std::floor(*number))
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("{} '{}': expected a whole number from {}", name, *text, least));
  return static_cast<int>(*number);
}

base::Result<Settings> settings_of(const Arguments& arguments) {
  Settings settings;
  ARBOR_TRY(settings.runs, count_option(arguments, "--runs", 20, 3));
  ARBOR_TRY(settings.warmup, count_option(arguments, "--warmup", 1, 0));
  ARBOR_TRY(const int seed, count_option(arguments, "--seed", 1, 0));
  settings.seed = static_cast<std::uint64_t>(seed);
  settings.ignores_failure = arguments.has("--ignore-failure");
  return settings;
}

// The user's own commands run as they would from the shell: in this folder, with this environment.
base::Result<double> timed_s(const std::string& command, const Settings& settings) {
  base::ToolCall call;
  call.argv = {"/bin/sh", "-c", command};
  call.timeout_s = 3600;
  call.environment = environment_variables();
  const auto start = std::chrono::steady_clock::now();
  ARBOR_TRY(const auto output, base::run_tool(call, interrupted()));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (output.exit_code != 0 && !settings.ignores_failure)
    return base::fail(
        base::ErrorKind::kUsage,
        fmt::format("'{}' ended with code {}; --ignore-failure times it all the same. It said: {}",
                    command, output.exit_code,
                    base::shortened(base::printable(base::trim(output.standard_error)), 500)));
  return taken.count();
}

constexpr double kLongestWait_s = 600;  // for another Arbor that measures on this machine

struct Comparison {
  std::vector<double> first_s, second_s, x;
};

base::Result<Comparison> compare(const std::string& first, const std::string& second,
                                 const Settings& settings, Terminal& terminal) {
  for (int i = 0; i < settings.warmup; ++i) {
    terminal.status(fmt::format("warm-up {} of {}", i + 1, settings.warmup));
    ARBOR_TRY_VOID(timed_s(first, settings));
    ARBOR_TRY_VOID(timed_s(second, settings));
  }
  auto random = base::Random::stream(settings.seed, "bench");
  Comparison comparison;
  for (int i = 0; i < settings.runs; ++i) {
    terminal.status(fmt::format("pair {} of {}", i + 1, settings.runs));
    const bool second_first = random.coin();
    ARBOR_TRY(const auto lock, ports::MeasuringLock::acquire(ports::measuring_lock_file(),
                                                             kLongestWait_s, interrupted()));
    ARBOR_TRY(const double early_s, timed_s(second_first ? second : first, settings));
    ARBOR_TRY(const double late_s, timed_s(second_first ? first : second, settings));
    comparison.first_s.push_back(second_first ? late_s : early_s);
    comparison.second_s.push_back(second_first ? early_s : late_s);
    comparison.x.push_back(std::log(comparison.first_s.back() / comparison.second_s.back()));
  }
  return comparison;
}

std::string verdict_line(const domain::Interval& gain) {
  const auto speedup = domain::speedup_of(gain);
  if (gain.low > 0)
    return fmt::format("The second is {:.3f}× [{:.3f}, {:.3f}] faster than the first.",
                       speedup.estimate, speedup.low, speedup.high);
  if (gain.high < 0)
    return fmt::format("The first is {:.3f}× [{:.3f}, {:.3f}] faster than the second.",
                       1 / speedup.estimate, 1 / speedup.high, 1 / speedup.low);
  return fmt::format("No difference proved: second against first {:.3f}× [{:.3f}, {:.3f}].",
                     speedup.estimate, speedup.low, speedup.high);
}

int run(const Arguments& arguments, Terminal& terminal) {
  interrupted();
  if (arguments.positionals.size() != 2)
    return terminal.fail(
        {base::ErrorKind::kUsage, "bench compares two commands: arbor bench 'A' 'B'"});
  const auto settings = settings_of(arguments);
  if (!settings) return terminal.fail(settings.error());
  const auto& first = arguments.positionals[0];
  const auto& second = arguments.positionals[1];
  const auto comparison = compare(first, second, *settings, terminal);
  if (!comparison) return terminal.fail(comparison.error());
  const std::vector<int> one_window(comparison->x.size(), 0);
  const auto gain = measure::interval_of_mean(comparison->x, one_window);
  const auto speedup = domain::speedup_of(gain);
  const base::Json json = {
      {"schema", "arbor.bench/1"},
      {"commands", {first, second}},
      {"speedup", {{"estimate", speedup.estimate}, {"low", speedup.low}, {"high", speedup.high}}},
      {"times_s", {comparison->first_s, comparison->second_s}}};
  if (const auto file = arguments.value("--export-json"))
    if (auto written =
            base::write_file(path_given(arguments, *file), base::dump_json(json, 2) + "\n");
        !written)
      return terminal.fail(written.error());
  if (terminal.is_json())
    terminal.print_json(json);
  else
    terminal.print(fmt::format("first   {:>10}  {}\nsecond  {:>10}  {}\n{}\n",
                               base::format_duration(measure::median(comparison->first_s)), first,
                               base::format_duration(measure::median(comparison->second_s)), second,
                               verdict_line(gain)));
  return kExitDone;
}

}  // namespace

Verb bench_verb() {
  return {"bench",
          "The paired test on any two commands, in random order",
          "arbor bench 'gzip -k -f a.bin' 'pigz -k -f a.bin' --runs 20",
          {{"--runs", "N", "pairs (20, at least 3)"},
           {"--warmup", "N", "runs of each before that do not count (1)"},
           {"--seed", "N", "seed of the order (1)"},
           {"--ignore-failure", "", "time commands that end with an error too"},
           {"--export-json", "FILE", "write the result and every time to FILE"}},
          {{"COMMAND", "two commands for sh -c", true, true}},
          run};
}

}  // namespace arbor::app
