// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace arbor::ports {
namespace {

std::unexpected<base::Error> io_error(std::string_view doing) {
  return base::fail(base::ErrorKind::kIo,
                    fmt::format("cannot {} for a launch: {}", doing, std::strerror(errno)));
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

base::Result<Descriptor> raised(Descriptor descriptor) {
  const int fd = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, kFirstInheritedFd);
  if (fd < 0) return io_error("duplicate a file (is the limit of open files too low?)");
  return Descriptor(fd);
}

base::Result<Pipe> open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return io_error("open a pipe");
  Descriptor read_end(ends[0]), write_end(ends[1]);
  Pipe pipe;
  ARBOR_TRY(pipe.read_end, raised(std::move(read_end)));
  ARBOR_TRY(pipe.write_end, raised(std::move(write_end)));
  return pipe;
}

base::Result<Descriptor> memory_file(std::string_view name, std::string_view text) {
  Descriptor file(::memfd_create(std::string(name).c_str(), MFD_CLOEXEC));
  if (!file.is_open()) return io_error("create a file in memory");
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written =
        ::pwrite(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return io_error("fill a file in memory");
    done += static_cast<std::size_t>(written);
  }
  return raised(std::move(file));
}

void set_non_blocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace arbor::ports
