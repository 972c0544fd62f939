// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/unsafe/descendants.h"

#include <filesystem>
#include <map>
#include <string>

#include "base/files.h"
#include "base/text.h"

namespace arbor::ports {
namespace {

// The parent in /proc/PID/stat: the second field after the name, which may hold anything but is
// closed by the last parenthesis.
pid_t parent_in(const std::string& stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return -1;
  const auto fields = base::split(std::string_view(stat).substr(name_end + 2), ' ');
  if (fields.size() < 2 || fields[0] == "Z") return -1;
  const auto parent = base::parse_number(fields[1]);
  return parent ? static_cast<pid_t>(*parent) : -1;
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t ancestor) {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto pid = base::parse_number(entry.path().filename().string());
    if (!pid) continue;
    if (const auto stat = base::read_file(entry.path() / "stat"))
      children.emplace(parent_in(*stat), static_cast<pid_t>(*pid));
  }
  std::vector<pid_t> found = {ancestor};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

}  // namespace arbor::ports
