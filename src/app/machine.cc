// SPDX-License-Identifier: Apache-2.0
#include "app/machine.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/subprocess.h"
#include "base/text.h"

extern char** environ;

namespace arbor::app {
namespace fs = std::filesystem;

std::optional<std::string> first_line_of(std::vector<std::string> argv) {
  base::ToolCall call;
  call.argv = std::move(argv);
  call.timeout_s = 20;
  const auto output = base::run_tool(call);
  if (!output || output->exit_code != 0) return std::nullopt;
  const auto lines = base::lines_of(output->standard_output);
  return lines.empty() ? "" : std::string(lines.front());
}

std::vector<std::string> allocator_libraries() {
  std::vector<std::string> found;
  for (const char* library :
       {"/usr/lib/x86_64-linux-gnu/libmimalloc.so.2", "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
        "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4",
        "/usr/lib/aarch64-linux-gnu/libmimalloc.so.2",
        "/usr/lib/aarch64-linux-gnu/libjemalloc.so.2"})
    if (fs::exists(library)) found.emplace_back(library);
  return found;
}

agents::Machine survey_machine() {
  agents::Machine machine;
  machine.cpus = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  machine.idle_cpus = machine.cpus;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) machine.usable_cpus.push_back(cpu);
  machine.preloads = allocator_libraries();
  for (const char* compiler : {"gcc", "g++", "clang", "clang-19"})
    if (!first_line_of({compiler, "--version"}).value_or("").empty())
      machine.compilers.push_back(compiler);
  machine.has_openmp = fs::exists("/usr/lib/x86_64-linux-gnu/libgomp.so.1");
  return machine;
}

std::map<std::string, std::string> environment_variables() {
  std::map<std::string, std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (const auto equals = text.find('='); equals != std::string::npos)
      variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

}  // namespace arbor::app
