// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/config/manifest_keys.h"
#include "app/config/quantity.h"
#include "app/init/inspect.h"
#include "base/text.h"

namespace arbor::app {
namespace {

std::string list_text(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const auto& text : texts) quoted.push_back(toml_quoted(text));
  return "[" + base::join(quoted, ", ") + "]";
}

// A comment must stay one, whatever file names it quotes.
std::string one_line(std::string_view text) {
  std::string line = base::printable(text);
  for (char& c : line)
    if (c == '\n' || c == '\t') c = ' ';
  return line;
}

std::string header(std::string_view name) {
  const Section* section = find_section(name);
  return fmt::format("\n# {}\n[{}]\n", section == nullptr ? "" : section->meaning, name);
}

std::string command_line(const FoundCommand& found, std::string_view advice) {
  std::string text;
  for (const auto& note : found.notes) text += fmt::format("# {}\n", one_line(note));
  if (!found.command.empty())
    return text + fmt::format("command = {}  # from {}\n", toml_quoted(found.command),
                              one_line(found.reason));
  return text + fmt::format("# Not found: {}\ncommand = \"\"\n", advice);
}

std::string build_text(const InitFindings& findings) {
  std::string text = header("build");
  text += command_line(findings.build,
                       "write the command that builds the program from a fresh checkout "
                       "(\"true\" where nothing is built).");
  text += "timeout = \"30m\"\n";
  if (findings.executables.empty())
    return text + "# artefacts = [\"bin/program\"]  # found by watching what the build writes\n";
  return text + fmt::format("# artefacts = {}  # found by watching what the build writes\n",
                            one_line(list_text(findings.executables)));
}

std::string outputs_line(std::optional<double> stdout_rtol) {
  if (!stdout_rtol)
    return "# outputs = [{ file = \"out.txt\", rtol = 1e-6 }]                   # or files, "
           "compared "
           "with the original's\n";
  if (*stdout_rtol == 0) return "outputs = [{ file = \"-\" }]  # standard output, byte for byte\n";
  return fmt::format(
      "# Whole numbers must be equal, others to rtol.\n"
      "outputs = [{{ file = \"-\", rtol = {}, exact_integers = true }}]  # standard output\n",
      *stdout_rtol);
}

std::string check_text(const InitFindings& findings) {
  std::string text = header("check");
  text += command_line(findings.check,
                       "write a command that exits with 0 only if the program's results are "
                       "right.");
  text += "timeout = \"10m\"\n";
  if (!findings.check_harness.empty())
    text += "# The judge's own files: taken from the original, never edited.\nharness = " +
            list_text(findings.check_harness) + "\n";
  return text +
         "# {seed} in the command becomes a fresh number each time: give it to the generator of "
         "inputs.\n"
         "# score = { json = \"/accuracy\", floor = 0.9, drop_max = 0.005 }   # a printed number "
         "instead of the exit code\n" +
         outputs_line(findings.stdout_rtol);
}

std::string bench_text(const InitFindings& findings) {
  std::string text = header("bench");
  text += command_line(findings.bench,
                       "write a command that runs the work to be made faster: the same work each "
                       "time, a second or more.");
  text += "timeout = \"10m\"\n";
  if (!findings.bench_harness.empty())
    text += "harness = " + list_text(findings.bench_harness) + "\n";
  return text +
         "# train = \"...\"    # the same with another input, for profile-guided work\n"
         "# holdout = \"...\"  # the same with a workload no decision looks at\n"
         "# Wall time is measured unless a metric is named:\n"
         "# metric = { name = \"requests_per_s\", goal = \"max\", reader = { json = "
         "\"/requests_per_s\" } }\n"
         "# guard = [{ name = \"peak\", goal = \"min\", reader = \"memory\", worse_by_max = "
         "\"5%\" }]\n";
}

constexpr std::string_view kKnobAndGoal = R"(
# Settings of the program that may be tried, one table for each.
# [[knob]]
# name = "threads"
# layer = "runtime"
# kind = "env"               # or argument, define, file-template
# variable = "APP_THREADS"
# default = "1"
# values = ["1", "2", "4"]
# activates = 'threads={}'   # what the program prints when a value took effect

[goal]
# speedup = "2x"             # stop once this is reached
# target_cpu = "x86-64-v3"   # the oldest processor the result must run on; this machine's when left out
forbid = []                  # for example ["fast-math"]

[budget]
wall = "30m"
)";

}  // namespace

std::string commented_manifest(const InitFindings& findings) {
  std::string text =
      "# How arbor builds, checks and measures this program. Every key is described in\n"
      "# docs/formats/manifest.md of arbor; `arbor schema` prints them for editors.\n"
      "schema = 1\n";
  text +=
      fmt::format("\n[program]\nname = {}\n", toml_quoted(base::printable(findings.program_name)));
  text += build_text(findings) + check_text(findings) + bench_text(findings);
  text += header("edit") + "allow = " + list_text(findings.sources) + "\n";
  text += kKnobAndGoal;
  return text;
}

}  // namespace arbor::app
