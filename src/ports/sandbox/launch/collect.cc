// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/collect.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "ports/sandbox/launch/descriptor.h"

namespace arbor::ports {
namespace {

// Never more than the limit, also of a file that grows while it is read.
std::optional<std::string> read_bounded(int fd) {
  std::string bytes;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (bytes.size() > kMaxCollectedBytes) return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> read_beneath(const std::filesystem::path& folder,
                                        const std::string& relative) {
  const Descriptor root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.is_open()) return std::nullopt;
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;  // a pipe must not block us
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const Descriptor file(
      static_cast<int>(::syscall(SYS_openat2, root.get(), relative.c_str(), &how, sizeof how)));
  if (!file.is_open()) return std::nullopt;
  struct stat info{};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (static_cast<std::size_t>(info.st_size) > kMaxCollectedBytes) return std::nullopt;
  return read_bounded(file.get());
}

}  // namespace arbor::ports
