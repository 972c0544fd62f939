// SPDX-License-Identifier: Apache-2.0
#include "ports/executor/measuring_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/text.h"

namespace arbor::ports {
namespace {

constexpr long kRetryNs = 20'000'000;

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// Every user must be able to open it for writing. In a sticky folder the kernel refuses O_CREAT on
// another user's file (fs.protected_regular), so first without.
int open_shared(const std::filesystem::path& file) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  const int existing = ::open(file.c_str(), kFlags);
  if (existing >= 0 || errno != ENOENT) return existing;
  const int fd = ::open(file.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
  if (fd < 0) return errno == EEXIST ? ::open(file.c_str(), kFlags) : fd;
  ::fchmod(fd, 0666);  // whatever the umask is
  return fd;
}

std::string holder_in(int fd) {
  char text[32] = {};
  const ssize_t got = ::pread(fd, text, sizeof text - 1, 0);
  const auto pid = base::trim({text, static_cast<std::size_t>(got > 0 ? got : 0)});
  return pid.empty() ? "another process" : fmt::format("process {}", base::printable(pid));
}

}  // namespace

base::Result<MeasuringLock> MeasuringLock::acquire(const std::filesystem::path& file, double wait_s,
                                                   std::stop_token stop) {
  MeasuringLock lock(open_shared(file));
  if (lock.fd_ < 0)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot open the measuring lock '{}': {}. Remove it if no "
                                  "campaign is running",
                                  file.string(), std::strerror(errno)));
  const std::int64_t until_ns = now_ns() + static_cast<std::int64_t>(wait_s * 1e9);
  while (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return base::fail(base::ErrorKind::kIo,
                        fmt::format("cannot lock '{}': {}", file.string(), std::strerror(errno)));
    if (stop.stop_requested())
      return base::fail(base::ErrorKind::kCancelled, "stopped while waiting for the machine");
    if (now_ns() >= until_ns)
      return base::fail(
          base::ErrorKind::kBusy,
          fmt::format("{} has been measuring on this machine for more than {} (lock '{}'): wait "
                      "for its campaign or stop it",
                      holder_in(lock.fd_), base::format_duration(wait_s), file.string()));
    const timespec pause{.tv_sec = 0, .tv_nsec = kRetryNs};
    ::nanosleep(&pause, nullptr);
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.fd_, 0) == 0)
    static_cast<void>(::pwrite(lock.fd_, pid.data(), pid.size(), 0) != 0);
  return lock;
}

MeasuringLock::MeasuringLock(MeasuringLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

MeasuringLock::~MeasuringLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::filesystem::path measuring_lock_file() {
  const bool has_run_lock = ::access("/run/lock", W_OK | X_OK) == 0;
  return std::filesystem::path(has_run_lock ? "/run/lock" : "/tmp") / "arbor-measuring.lock";
}

}  // namespace arbor::ports
