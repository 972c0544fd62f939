// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/doctor/finding.h"
#include "app/doctor/steadiness.h"
#include "app/machine.h"
#include "app/verbs/verbs.h"
#include "app/wiring.h"
#include "base/files.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLoop =
    "double sum(const double *x, int n) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += "
    "x[i];\n  return s;\n}\n";

Finding tool(const std::string& name, std::vector<std::string> argv, bool is_needed,
             const std::string& fix) {
  const auto line = first_line_of(std::move(argv));
  if (!line) return {name, false, is_needed, fix};
  return {name, true, is_needed, line->empty() ? "found" : base::printable(*line)};
}

Finding sandbox_finding(const fs::path& scratch) {
  const auto sandbox = ports::open_sandbox(scratch, false);
  if (!sandbox) return {"sandbox", false, true, sandbox.error().message};
  const auto traits = (*sandbox)->traits();
  std::string detail = fmt::format("{}, cgroups {}", traits.name, traits.cgroup);
  for (const auto& note : traits.notes) detail += "; " + note;
  return {"sandbox", true, true, detail};
}

Finding shim_finding() {
  const auto shim = own_program("arbor-shim");
  if (!shim) return {"compiler shim", false, true, shim.error().message};
  return {"compiler shim", true, true, shim->string()};
}

// Loops are looked at by a program of its own, with libclang.
Finding analyser_finding(const fs::path& scratch) {
  const auto advice = [](const std::string& why) {
    return Finding{"analyser", false, false,
                   why +
                       "; without it no loop is changed: apt-get install libclang-19-dev and "
                       "build Arbor again"};
  };
  const auto binary = own_program("arbor-analyzer");
  if (!binary) return advice(binary.error().message);
  const auto sandbox = ports::open_sandbox(scratch, false);
  if (!sandbox) return {"analyser", true, false, binary->string() + " (not tried: no sandbox)"};
  const auto analyzer = ports::open_analyzer(**sandbox, *binary);
  if (!analyzer) return advice(analyzer.error().message);
  const fs::path tree = scratch / "loops";
  if (!base::write_file(tree / "loop.c", kLoop))
    return advice("no loop could be written to try it");
  ports::AnalysisRequest request;
  request.file = (tree / "loop.c").string();
  request.directory = tree;
  request.view.tree = tree;
  request.view.tree_path = tree;
  request.view.discard_writes = true;
  const auto loops = (*analyzer)->loops(request, {});
  if (!loops) return advice(loops.error().message);
  if (loops->size() != 1) return advice("libclang found no loop where one is");
  return {"analyser", true, false, "libclang finds loops"};
}

Finding perf_finding() {
  const auto level = base::read_file("/proc/sys/kernel/perf_event_paranoid");
  const auto number = level ? base::parse_number(*level) : std::nullopt;
  if (::access("/usr/bin/perf", X_OK) != 0)
    return {"perf", false, false,
            "not installed: apt-get install linux-perf (Ubuntu: linux-tools-generic)"};
  if (number && *number > 2)
    return {"perf", false, false,
            fmt::format("kernel.perf_event_paranoid is {}; sysctl -w kernel.perf_event_paranoid=2 "
                        "lets users profile",
                        static_cast<int>(*number))};
  return {"perf", true, false, "user-space profiles work without privileges"};
}

Finding allocators_finding() {
  std::vector<std::string> found;
  for (const auto& library : allocator_libraries())
    found.push_back(fs::path(library).filename().string());
  if (found.empty())
    return {"allocators", false, false,
            "none to try: apt-get install libmimalloc2.0 libjemalloc2 libtcmalloc-minimal4"};
  return {"allocators", true, false, base::join(found, " ")};
}

Finding manifest_finding(const Arguments& arguments) {
  const auto root = find_program(arguments);
  if (!root) return {"arbor.toml", false, true, root.error().message};
  const auto manifest = manifest_for(*root, arguments);
  if (!manifest) return {"arbor.toml", false, true, manifest.error().message};
  return {"arbor.toml", true, true, (*root / "arbor.toml").string()};
}

std::vector<Finding> examine(const Arguments& arguments) {
  const auto scratch = base::ScratchDir::create(fs::temp_directory_path(), "arbor-doctor-");
  std::vector<Finding> findings;
  findings.push_back(tool("git", {"git", "--version"}, true, "apt-get install git"));
  findings.push_back(tool("C++ compiler", {"c++", "--version"}, false, "apt-get install g++"));
  findings.push_back(
      tool("ccache", {"ccache", "--version"}, false, "faster rebuilds: apt-get install ccache"));
  if (scratch) findings.push_back(sandbox_finding(scratch->path()));
  findings.push_back(shim_finding());
  if (scratch) findings.push_back(analyser_finding(scratch->path()));
  findings.push_back(perf_finding());
  findings.push_back(allocators_finding());
  findings.push_back(noise_finding(seconds_of_a_short_loop));
  for (auto& finding : cpu_findings("/sys")) findings.push_back(std::move(finding));
  findings.push_back(manifest_finding(arguments));
  return findings;
}

int run(const Arguments& arguments, Terminal& terminal) {
  const auto findings = examine(arguments);
  base::Json json = {{"schema", "arbor.doctor/1"}, {"findings", base::Json::array()}};
  std::string text;
  bool lacks_needed = false;
  for (const auto& finding : findings) {
    lacks_needed |= finding.is_needed && !finding.is_ok;
    json["findings"].push_back({{"name", finding.name},
                                {"ok", finding.is_ok},
                                {"needed", finding.is_needed},
                                {"advice", finding.is_advice},
                                {"detail", finding.detail}});
    const std::string mark = finding.is_ok       ? terminal.green("ok     ")
                             : finding.is_advice ? terminal.dim("advice ")
                                                 : terminal.red("missing");
    text += fmt::format("{}  {:<14}{}\n", mark, finding.name, finding.detail);
  }
  if (terminal.is_json())
    terminal.print_json(json);
  else
    terminal.print(text);
  return lacks_needed ? kExitEnvironment : kExitDone;
}

}  // namespace

Verb doctor_verb() {
  return {
      "doctor",
      "What this machine offers: tools, sandbox, profiler, allocators, steadiness; each line ok "
      "or what to do",
      "arbor doctor",
      {},
      {},
      run};
}

}  // namespace arbor::app
