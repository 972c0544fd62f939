// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/survivors.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"

namespace arbor::ports {
namespace {

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  const auto text = base::read_file(fmt::format("/proc/{0}/task/{0}/children", parent));
  if (!text) return children;
  for (const std::string_view word : base::split(*text, ' '))
    if (const auto pid = base::parse_number(base::trim(word)))
      children.push_back(static_cast<pid_t>(*pid));
  return children;
}

// The state follows the name, which may hold anything but is closed by the last parenthesis.
bool is_alive(pid_t pid) {
  const auto stat = base::read_file(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = stat ? stat->rfind(") ") : std::string::npos;
  if (name_end == std::string::npos || name_end + 2 >= stat->size()) return false;
  const char state = (*stat)[name_end + 2];
  return state != 'Z' && state != 'X';
}

}  // namespace

bool has_survivors(pid_t keeper, int generations) {
  std::vector<pid_t> level = {keeper};
  for (int i = 0; i < generations; ++i) {
    std::vector<pid_t> next;
    for (const pid_t parent : level)
      for (const pid_t child : children_of(parent)) next.push_back(child);
    level = std::move(next);
  }
  return std::ranges::any_of(level, is_alive);
}

}  // namespace arbor::ports
