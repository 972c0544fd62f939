// SPDX-License-Identifier: Apache-2.0
#include "ports/store/controller_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <string>

#include "base/files.h"
#include "base/owner.h"
#include "base/text.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

std::string holder_text() {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  const base::ProcessName own = base::this_process();
  return fmt::format("pid {}\nstarted {}\nboot {}\nhost {}\n", own.pid, own.started, own.boot,
                     host);
}

std::string describe_holder(const fs::path& file) {
  const std::string text = base::read_file(file).value_or("");
  std::map<std::string, std::string, std::less<>> fields;
  for (const auto line : base::lines_of(text))
    if (const auto space = line.find(' '); space != std::string_view::npos)
      fields[std::string(line.substr(0, space))] = line.substr(space + 1);
  const std::string& pid = fields["pid"];
  if (base::is_running({pid, fields["started"], fields["boot"]}))
    return fmt::format("by process {} on host '{}'; wait for it to end, or stop it with: kill {}",
                       pid, base::printable(fields["host"]), base::printable(pid));
  return fmt::format(
      "by a process that '{}' does not name (the one that wrote it is gone, perhaps "
      "it left a child behind); find it with: fuser -v {}",
      file.string(), base::shell_quoted(file.string()));
}

base::Result<void> write_holder(int fd, const fs::path& file) {
  const std::string text = holder_text();
  if (::ftruncate(fd, 0) == 0 &&
      ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()))
    return {};
  return base::fail(base::ErrorKind::kIo, fmt::format("cannot write the lock file '{}': {}",
                                                      file.string(), std::strerror(errno)));
}

}  // namespace

base::Result<ControllerLock> ControllerLock::take(const fs::path& file,
                                                  const std::string& complaint) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot open the lock file '{}': {}",
                                                        file.string(), std::strerror(errno)));
  ControllerLock lock(fd);
  int status = 0;
  do status = ::flock(fd, LOCK_EX | LOCK_NB);
  while (status != 0 && errno == EINTR);
  if (status != 0 && errno == EWOULDBLOCK)
    return base::fail(base::ErrorKind::kBusy,
                      fmt::format("{} {}",
                                  complaint.empty() ? fmt::format("the campaign in '{}' is already "
                                                                  "being run",
                                                                  file.parent_path().string())
                                                    : complaint,
                                  describe_holder(file)));
  if (status != 0)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot lock '{}': {}", file.string(), std::strerror(errno)));
  ARBOR_TRY_VOID(write_holder(fd, file));
  return lock;
}

ControllerLock::~ControllerLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::optional<int> lock_holder(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  const bool is_free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
  ::close(fd);
  if (is_free) return std::nullopt;
  const std::string line = base::read_file(file).value_or("");
  const auto lines = base::lines_of(line);
  if (lines.empty() || !lines.front().starts_with("pid ")) return std::nullopt;
  const auto pid = base::parse_number(lines.front().substr(4));
  return pid ? std::optional(static_cast<int>(*pid)) : std::nullopt;
}

}  // namespace arbor::ports
