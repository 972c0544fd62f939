// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <sstream>

#include "base/files.h"
#include "base/owner.h"
#include "base/text.h"
#include "ports/sandbox/launch/cgroup.h"

// Finds where groups may be created: /proc/self/cgroup names our own group per hierarchy, mountinfo
// says where each hierarchy is mounted (and which part of it, inside a container).
namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

struct Hierarchy {
  std::string root;  // what of the hierarchy the mount shows
  fs::path mounted_at;
};

bool has_word(std::string_view list, std::string_view word, char separator) {
  for (const std::string_view item : base::split(list, separator))
    if (base::trim(item) == word) return true;
  return false;
}

// The mount of a v1 controller, or of cgroup2 for an empty name.
std::optional<Hierarchy> mounted(const std::string& mountinfo, std::string_view controller) {
  for (const std::string_view line : base::lines_of(mountinfo)) {
    // id parent major:minor root mount-point options [tags] - type source super-options
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    const auto left = base::split(line.substr(0, dash), ' ');
    const auto right = base::split(line.substr(dash + 3), ' ');
    if (left.size() < 5 || right.size() < 3) continue;
    const bool is_match = controller.empty()
                              ? right[0] == "cgroup2"
                              : right[0] == "cgroup" && has_word(right[2], controller, ',');
    if (is_match) return Hierarchy{std::string(left[3]), fs::path(left[4])};
  }
  return std::nullopt;
}

// Our own group's path in a hierarchy.
std::string own_path(const std::string& self_cgroup, std::string_view controller) {
  for (const std::string_view line : base::lines_of(self_cgroup)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller, ','))
      return std::string(line.substr(second + 1));
  }
  return "/";
}

fs::path own_folder(const Hierarchy& hierarchy, std::string path) {
  if (hierarchy.root != "/" && path.starts_with(hierarchy.root))
    path = path.substr(hierarchy.root.size());
  const fs::path folder = hierarchy.mounted_at / fs::path(path).relative_path();
  std::error_code ignored;
  return fs::is_directory(folder, ignored) ? folder : hierarchy.mounted_at;
}

bool can_create_in(const fs::path& folder, std::string_view needed_file) {
  const fs::path probe = folder / fmt::format("arbor-probe-{}", base::owner_mark());
  if (::mkdir(probe.c_str(), 0755) != 0 && errno != EEXIST) return false;
  const bool is_useful = ::access((probe / needed_file).c_str(), R_OK | W_OK) == 0 &&
                         ::access((probe / "cgroup.procs").c_str(), W_OK) == 0;
  ::rmdir(probe.c_str());
  return is_useful;
}

fs::path v1_folder(const std::string& self_cgroup, const std::string& mountinfo,
                   std::string_view controller, std::string_view needed_file) {
  const auto hierarchy = mounted(mountinfo, controller);
  if (!hierarchy) return {};
  const fs::path folder = own_folder(*hierarchy, own_path(self_cgroup, controller));
  return can_create_in(folder, needed_file) ? folder : fs::path();
}

// The nearest ancestor that hands memory and pids to its children. Our own group cannot: a group
// with processes of its own has no controlled children.
fs::path v2_folder(const std::string& self_cgroup, const std::string& mountinfo) {
  const auto hierarchy = mounted(mountinfo, "");
  if (!hierarchy) return {};
  fs::path folder = own_folder(*hierarchy, own_path(self_cgroup, ""));
  for (;; folder = folder.parent_path()) {
    const auto handed = base::read_file(folder / "cgroup.subtree_control");
    if (handed && has_word(*handed, "memory", ' ') && has_word(*handed, "pids", ' ') &&
        ::access((folder / "cgroup.procs").c_str(), W_OK) == 0 &&
        can_create_in(folder, "memory.max"))
      return folder;
    if (folder == hierarchy->mounted_at || !folder.has_relative_path()) return {};
  }
}

}  // namespace

CgroupHome find_cgroup_home(const std::string& self_cgroup, const std::string& mountinfo) {
  CgroupHome home;
  home.unified = v2_folder(self_cgroup, mountinfo);
  if (!home.unified.empty()) {
    home.version = CgroupVersion::kV2;
    return home;
  }
  home.memory = v1_folder(self_cgroup, mountinfo, "memory", "memory.limit_in_bytes");
  home.pids = v1_folder(self_cgroup, mountinfo, "pids", "pids.max");
  home.cpuacct = v1_folder(self_cgroup, mountinfo, "cpuacct", "cpuacct.usage");
  const bool has_any = !home.memory.empty() || !home.pids.empty() || !home.cpuacct.empty();
  home.version = has_any ? CgroupVersion::kV1 : CgroupVersion::kNone;
  return home;
}

CgroupHome find_cgroup_home() {
  const auto self_cgroup = base::read_file("/proc/self/cgroup");
  const auto mountinfo = base::read_file("/proc/self/mountinfo");
  if (!self_cgroup || !mountinfo) return {};
  return find_cgroup_home(*self_cgroup, *mountinfo);
}

}  // namespace arbor::ports
