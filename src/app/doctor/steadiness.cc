// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/steadiness.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "measure/statistics.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr int kPairs = 12;
constexpr double kNoisy = 0.05;

std::optional<std::string> word_in(const fs::path& file) {
  const auto text = base::read_file(file, 4096);
  if (!text || base::trim(*text).empty()) return std::nullopt;
  return base::printable(base::trim(*text));
}

void add_governor(const fs::path& cpu, std::vector<Finding>& findings) {
  const auto governor = word_in(cpu / "cpu0/cpufreq/scaling_governor");
  if (!governor) return;
  const bool is_steady = *governor == "performance";
  findings.push_back({"governor", is_steady, false,
                      is_steady ? *governor
                                : *governor + ": frequencies follow the load; 'cpupower "
                                              "frequency-set -g performance' keeps them up",
                      true});
}

void add_turbo(const fs::path& cpu, std::vector<Finding>& findings) {
  const auto no_turbo = word_in(cpu / "intel_pstate/no_turbo");
  const auto boost = word_in(cpu / "cpufreq/boost");
  if (!no_turbo && !boost) return;
  const bool is_on = no_turbo ? *no_turbo == "0" : *boost == "1";
  const char* off = no_turbo ? "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"
                             : "echo 0 > /sys/devices/system/cpu/cpufreq/boost";
  findings.push_back(
      {"turbo", !is_on, false,
       is_on ? fmt::format("on: speed depends on heat; '{}' steadies it", off) : "off", true});
}

void add_hyper_threads(const fs::path& cpu, std::vector<Finding>& findings) {
  const auto active = word_in(cpu / "smt/active");
  if (!active) return;
  const bool is_on = *active == "1";
  findings.push_back({"hyper-threads", !is_on, false,
                      is_on ? "on: neighbours share a core; 'echo off > "
                              "/sys/devices/system/cpu/smt/control' ends that"
                            : "off",
                      true});
}

}  // namespace

std::vector<Finding> cpu_findings(const fs::path& sys) {
  const fs::path cpu = sys / "devices/system/cpu";
  std::vector<Finding> findings;
  add_governor(cpu, findings);
  add_turbo(cpu, findings);
  add_hyper_threads(cpu, findings);
  if (findings.empty())
    findings.push_back({"frequencies", true, false,
                        "governor, turbo and hyper-threads cannot be read here, as in most "
                        "virtual machines; the host's owner sets them"});
  return findings;
}

Finding noise_finding(const std::function<double()>& seconds_of_equal_work) {
  seconds_of_equal_work();  // warm-up
  std::vector<double> ratios;
  for (int i = 0; i < kPairs; ++i) {
    const double first = seconds_of_equal_work(), second = seconds_of_equal_work();
    if (first > 0 && second > 0) ratios.push_back(std::log(first / second));
  }
  if (ratios.size() < 2) return {"noise", false, false, "the clock does not move"};
  const double noise = measure::standard_deviation(ratios);
  const std::string seen =
      fmt::format("equal work differs by {:.1f} % a pair, so that gains from {:.1f} % up show",
                  100 * noise, 100 * std::expm1(measure::smallest_detectable(noise)));
  if (noise <= kNoisy) return {"noise", true, false, seen};
  return {"noise", false, false,
          seen + "; end what else runs here, or measure on a quieter machine", true};
}

double seconds_of_a_short_loop() {
  constexpr int kRounds = 4'000'000;
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t state = 88172645463325252ULL;
  for (int i = 0; i < kRounds; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
  }
  volatile std::uint64_t sink = state;
  (void)sink;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace arbor::app
