// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/request.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxNameBytes = 255;

std::unexpected<base::Error> wrong(std::string message) {
  return base::fail(base::ErrorKind::kUsage, std::move(message));
}

bool is_environment_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxNameBytes ||
      std::isdigit(static_cast<unsigned char>(name[0])))
    return false;
  return std::ranges::all_of(name, [](char letter) {
    return letter == '_' || std::isalnum(static_cast<unsigned char>(letter));
  });
}

bool has_dots(const fs::path& path) {
  return std::ranges::any_of(path, [](const fs::path& part) { return part == ".."; });
}

bool is_absolute_and_plain(const fs::path& path) {
  return path.is_absolute() && !has_dots(path) && path.native().find('\0') == std::string::npos;
}

fs::path plain(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

// Below it, not the folder itself.
bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path within = plain(path).lexically_relative(plain(folder));
  return !within.empty() && within != "." && *within.begin() != "..";
}

base::Result<void> check_command(const LaunchRequest& request) {
  if (request.argv.empty() || request.argv[0].empty()) return wrong("a launch without a command");
  for (const std::string& argument : request.argv)
    if (argument.find('\0') != std::string::npos)
      return wrong(fmt::format("an argument of `{}` holds a zero byte", request.argv[0].c_str()));
  for (const auto& [name, value] : request.environment) {
    if (!is_environment_name(name))
      return wrong(fmt::format("'{}' cannot be the name of an environment variable", name));
    if (value.find('\0') != std::string::npos)
      return wrong(fmt::format("the environment variable {} holds a zero byte", name));
  }
  if (!std::isfinite(request.limits.wall_s) || request.limits.wall_s <= 0)
    return wrong("limits.wall_s must be more than 0: every launch has a time limit");
  return {};
}

base::Result<void> check_paths_in_tree(const LaunchRequest& request) {
  const auto is_inside = [](const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    return !path.empty() && !path.is_absolute() && !has_dots(path) && normal != "." &&
           path.native().find('\0') == std::string::npos;
  };
  for (const fs::path path : request.collect)
    if (!is_inside(path))
      return wrong(fmt::format("cannot collect '{}': give a path inside the tree", path.string()));
  const View& view = request.view;
  if (!view.removed.empty() && !view.discard_writes)
    return wrong("a launch that keeps its writes cannot remove files of its tree");
  for (const fs::path path : view.removed) {
    if (!is_inside(path))
      return wrong(fmt::format("cannot remove '{}': give a path inside the tree", path.string()));
    for (const Mount& mount : view.mounts)
      if (is_below(mount.target, view.tree_path / path))
        return wrong(fmt::format("cannot remove '{}': '{}' is mounted in it", path.string(),
                                 mount.target.string()));
  }
  return {};
}

base::Result<void> check_view(const LaunchRequest& request) {
  const View& view = request.view;
  std::error_code ignored;
  if (!view.tree.is_absolute() || !fs::is_directory(view.tree, ignored))
    return wrong(fmt::format("the tree '{}' is not an existing folder with an absolute path",
                             view.tree.string()));
  if (!is_absolute_and_plain(view.tree_path) || view.tree_path == "/")
    return wrong(fmt::format("the tree cannot appear at '{}': give an absolute path below /",
                             view.tree_path.string()));
  if (!request.cwd.empty() && !request.cwd.is_absolute())
    return wrong(fmt::format("the working directory '{}' is not absolute", request.cwd.string()));
  for (const Mount& mount : view.mounts) {
    if (!is_absolute_and_plain(mount.target) || mount.target == "/")
      return wrong(fmt::format("cannot mount at '{}': give an absolute path below /",
                               mount.target.string()));
    if (!mount.source.is_absolute() || !fs::exists(mount.source, ignored))
      return wrong(fmt::format("cannot mount '{}' at '{}': it does not exist",
                               mount.source.string(), mount.target.string()));
  }
  return check_paths_in_tree(request);
}

}  // namespace

base::Result<void> check_request(const LaunchRequest& request) {
  ARBOR_TRY_VOID(check_command(request));
  ARBOR_TRY_VOID(check_view(request));
  const long cpu_count = ::sysconf(_SC_NPROCESSORS_CONF);
  for (const int cpu : request.cpus)
    if (cpu < 0 || cpu >= cpu_count || cpu >= CPU_SETSIZE)
      return wrong(
          fmt::format("there is no CPU {} to pin to: this machine has {}", cpu, cpu_count));
  return {};
}

std::map<std::string, std::string> inner_environment(const LaunchRequest& request,
                                                     const InnerDefaults& defaults) {
  std::map<std::string, std::string> variables = request.environment;
  variables.try_emplace("HOME", defaults.home);
  variables.try_emplace("TMPDIR", defaults.temporary);
  variables.try_emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  variables.try_emplace("LANG", "C.UTF-8");
  return variables;
}

void add_limits(ChildPlan& plan, const Limits& limits, bool cgroup_limits_memory,
                bool cgroup_limits_processes) {
  const auto add = [&plan](int resource, rlim_t soft, rlim_t hard) {
    rlimit current{};
    ::getrlimit(static_cast<__rlimit_resource>(resource), &current);  // never above our own
    hard = std::min(hard, current.rlim_max);
    plan.limits[static_cast<std::size_t>(plan.limit_count++)] = {resource, std::min(soft, hard),
                                                                 hard};
  };
  add(RLIMIT_CORE, 0, 0);
  if (limits.cpu_s > 0) {
    const auto seconds = static_cast<rlim_t>(std::ceil(limits.cpu_s));
    add(RLIMIT_CPU, seconds, seconds + 1);  // SIGXCPU first, SIGKILL a second later
  }
  if (limits.file_bytes > 0) {
    const auto bytes = static_cast<rlim_t>(limits.file_bytes);
    add(RLIMIT_FSIZE, bytes, bytes);
  }
  if (limits.memory_bytes > 0 && !cgroup_limits_memory) {
    const auto bytes = static_cast<rlim_t>(limits.memory_bytes);
    add(RLIMIT_AS, bytes, bytes);
  }
  if (limits.processes > 0 && !cgroup_limits_processes) {
    const auto count = static_cast<rlim_t>(limits.processes);
    add(RLIMIT_NPROC, count, count);
  }
}

std::optional<cpu_set_t> cpu_set_of(const std::vector<int>& cpus) {
  if (cpus.empty()) return std::nullopt;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  return set;
}

std::optional<std::string> find_program(std::string_view name) {
  for (const char* folder : {"/usr/bin/", "/bin/", "/usr/local/bin/"}) {
    std::string path = std::string(folder) + std::string(name);
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

CStrings::CStrings(std::vector<std::string> texts) : texts_(std::move(texts)) {
  for (std::string& text : texts_) pointers_.push_back(text.data());
  pointers_.push_back(nullptr);
}

CStrings::CStrings(const std::map<std::string, std::string>& variables)
    : CStrings([&variables] {
        std::vector<std::string> lines;
        for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
        return lines;
      }()) {}

}  // namespace arbor::ports
