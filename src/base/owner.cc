// SPDX-License-Identifier: Apache-2.0
#include "base/owner.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/files.h"
#include "base/text.h"

namespace arbor::base {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBootDigits = 8;  // of the id's 32: enough to tell two boots apart

std::string first_line_of(const fs::path& file) {
  const auto text = read_file(file);
  return text ? std::string(trim(*text)) : "";
}

// Field 22 of /proc/PID/stat; empty when there is no such process. The name before it may hold
// spaces and brackets, so counting starts behind its last bracket.
std::string start_time_of(std::string_view pid) {
  const std::string stat = first_line_of(fmt::format("/proc/{}/stat", pid));
  const auto bracket = stat.rfind(')');
  if (bracket == std::string::npos) return "";
  const auto fields = split(std::string_view(stat).substr(bracket + 1), ' ');
  return fields.size() > 20 ? std::string(fields[20]) : "";  // fields[1] is field 3
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 19 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Anyone can give a name to a file of theirs, or to a link.
bool is_our_users(const fs::path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && !S_ISLNK(status.st_mode) &&
         status.st_uid == ::geteuid();
}

bool is_mark(const std::vector<std::string_view>& parts) {
  return parts.size() == 3 && is_number(parts[0]) && is_number(parts[1]) &&
         parts[2].size() == kBootDigits;
}

}  // namespace

ProcessName this_process() {
  const std::string pid = std::to_string(::getpid());
  return {pid, start_time_of(pid), first_line_of("/proc/sys/kernel/random/boot_id")};
}

bool is_running(const ProcessName& process) {
  const auto pid = parse_number(process.pid);
  if (!pid || *pid <= 0 || process.boot.empty()) return false;
  if (!first_line_of("/proc/sys/kernel/random/boot_id").starts_with(process.boot)) return false;
  if (::kill(static_cast<pid_t>(*pid), 0) != 0 && errno == ESRCH) return false;
  const std::string started = start_time_of(process.pid);
  return started.empty() || started == process.started;
}

std::string owner_mark() {
  const ProcessName own = this_process();
  return fmt::format("{}.{}.{:0>8}", own.pid, own.started.empty() ? "0" : own.started,
                     own.boot.substr(0, kBootDigits));
}

bool has_dead_owner(std::string_view name) {
  for (const auto word : split(name, '-')) {
    const auto parts = split(word, '.');
    if (is_mark(parts))
      return !is_running({std::string(parts[0]), std::string(parts[1]), std::string(parts[2])});
  }
  return false;
}

void sweep(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> left_behind;
  std::error_code failed;
  if (!fs::is_directory(fs::symlink_status(folder, failed))) return;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && has_dead_owner(name) && is_our_users(it->path()))
      left_behind.push_back(it->path());
  }
  for (const auto& path : left_behind) remove_tree(path);
}

}  // namespace arbor::base
