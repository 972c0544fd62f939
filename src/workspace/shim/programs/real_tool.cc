// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/programs/real_tool.h"
#include "workspace/shim/places.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "workspace/shim/shim.h"
#include "workspace/shim/tools.h"

extern char** environ;

namespace arbor::workspace {
namespace {

volatile sig_atomic_t running_child = 0;

void pass_on(int signal) {
  if (running_child > 0) ::kill(running_child, signal);
}

template <typename Visit>
void for_each_folder(std::string_view path, Visit visit) {
  while (true) {
    const auto colon = path.find(':');
    if (!visit(path.substr(0, colon)) || colon == std::string_view::npos) return;
    path.remove_prefix(colon + 1);
  }
}

bool is_shim_folder(std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  return folder == place_of(kShimFolder);
}

bool is_executable_file(const std::string& path) {
  struct stat status;
  return ::access(path.c_str(), X_OK) == 0 && ::stat(path.c_str(), &status) == 0 &&
         S_ISREG(status.st_mode);
}

std::vector<std::string> environment_of(const ToolRun& run) {
  std::vector<std::string> variables;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view variable = *each;
    if (run.is_below_shim && variable.starts_with("PATH=")) continue;
    if (run.allows_ccache && variable.starts_with("CCACHE_DISABLE=")) continue;
    variables.emplace_back(variable);
  }
  if (run.is_below_shim) {
    variables.push_back("PATH=" + path_below_shim());
    variables.emplace_back("ARBOR_SHIM_ACTIVE=1");
  }
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string file_name_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string real_path_of(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

std::string path_below_shim() {
  const char* path = std::getenv("PATH");
  std::string kept;
  bool is_first = true;
  for_each_folder(path == nullptr ? kDefaultSearchPath : path, [&](std::string_view folder) {
    if (is_shim_folder(folder)) return true;
    if (!is_first) kept += ':';
    kept += folder;
    is_first = false;
    return true;
  });
  return kept;
}

std::optional<std::string> find_below_shim(std::string_view name) {
  std::optional<std::string> found;
  const bool is_launcher = class_of_tool(name) == ToolClass::kLauncher;
  if (name.find('/') != std::string_view::npos) return std::string(name);
  for_each_folder(path_below_shim(), [&](std::string_view folder) {
    std::string path = folder.empty() ? "." : std::string(folder);
    path.append("/").append(name);
    if (!is_executable_file(path)) return true;
    const std::string target = file_name_of(real_path_of(path));
    if (target == "arbor-shim") return true;
    if (!is_launcher && class_of_tool(target) == ToolClass::kLauncher) return true;
    found = std::move(path);
    return false;
  });
  return found;
}

int become(const ToolRun& run) {
  std::vector<std::string> argv = run.argv, environment = environment_of(run);
  ::execve(run.program.c_str(), pointers_to(argv).data(), pointers_to(environment).data());
  std::fprintf(stderr, "arbor-shim: cannot run '%s': %s\n", run.program.c_str(),
               std::strerror(errno));
  return errno == ENOENT ? 127 : 126;
}

std::optional<int> run_and_wait(const ToolRun& run) {
  std::vector<std::string> argv = run.argv, environment = environment_of(run);
  const std::vector<char*> arguments = pointers_to(argv), variables = pointers_to(environment);
  // A shared-memory child until it executes: cheap, and the failure's errno comes back.
  volatile int failure = 0;
  const pid_t child = ::vfork();
  if (child == 0) {
    ::execve(run.program.c_str(), arguments.data(), variables.data());
    failure = errno;
    ::_exit(127);
  }
  if (child < 0) failure = errno;
  running_child = child;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
    if (std::signal(signal, pass_on) == SIG_IGN) std::signal(signal, SIG_IGN);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running_child = 0;
  if (failure == 0) return status;
  std::fprintf(stderr, "arbor-shim: cannot run '%s': %s\n", run.program.c_str(),
               std::strerror(failure));
  return std::nullopt;
}

int exit_code_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

void end_like(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const rlimit none = {0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(WTERMSIG(wait_status), SIG_DFL);
    ::raise(WTERMSIG(wait_status));
  }
  ::_exit(exit_code_of(wait_status));
}

}  // namespace arbor::workspace
