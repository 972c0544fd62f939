// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/owner.h"

namespace arbor::base {
namespace fs = std::filesystem;
namespace {

std::unexpected<Error> io_error(std::string_view doing, const fs::path& path) {
  return fail(ErrorKind::kIo,
              fmt::format("{} '{}': {}", doing, path.string(), std::strerror(errno)));
}

Result<void> write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return io_error("cannot write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> write_new(const fs::path& path, std::string_view bytes, bool is_durable) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return io_error("cannot create", path);
  auto written = write_all(fd, bytes, path);
  if (written && is_durable && ::fsync(fd) != 0) written = io_error("cannot sync", path);
  if (::close(fd) != 0 && written) written = io_error("cannot close", path);
  return written;
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

Result<std::string> read_open(int fd, const fs::path& path, std::uintmax_t max_bytes) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return io_error("cannot look at", path);
  if (!S_ISREG(status.st_mode))
    return fail(ErrorKind::kIo, fmt::format("cannot read '{}': it is {}, not a file with content",
                                            path.string(), kind_of(status.st_mode)));
  std::string bytes;
  char buffer[65536];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("cannot read", path);
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (bytes.size() > max_bytes)
      return fail(ErrorKind::kIo,
                  fmt::format("'{}' is larger than {} bytes", path.string(), max_bytes));
  }
}

}  // namespace

Result<void> sync_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return io_error("cannot open folder", folder);
  const int status = ::fsync(fd);
  ::close(fd);
  if (status != 0) return io_error("cannot sync folder", folder);
  return {};
}

Result<std::string> read_file(const fs::path& path, std::uintmax_t max_bytes) {
  // O_NONBLOCK: a pipe that nobody writes would never open.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    if (errno == ENOENT)
      return fail(ErrorKind::kNotFound, fmt::format("no file '{}'", path.string()));
    return io_error("cannot open", path);
  }
  auto bytes = read_open(fd, path, max_bytes);
  ::close(fd);
  return bytes;
}

Result<void> write_file_durable(const fs::path& path, std::string_view bytes) {
  static std::atomic<unsigned> serial = 0;
  const fs::path draft = path.string() + fmt::format(".{}.{}.tmp", ::getpid(), ++serial);
  if (auto written = write_new(draft, bytes, true); !written) {
    ::unlink(draft.c_str());
    return written;
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) {
    auto error = io_error("cannot rename onto", path);
    ::unlink(draft.c_str());
    return error;
  }
  return sync_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

Result<void> write_file(const fs::path& path, std::string_view bytes) {
  std::error_code ignored;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  return write_new(path, bytes, false);
}

Result<ScratchDir> ScratchDir::create(const fs::path& parent, std::string_view prefix) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  std::string name = (parent / fmt::format("{}{}-XXXXXX", prefix, owner_mark())).string();
  if (::mkdtemp(name.data()) == nullptr)
    return io_error("cannot create a scratch folder in", parent);
  return ScratchDir(fs::path(name));
}

ScratchDir::ScratchDir(ScratchDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
ScratchDir& ScratchDir::operator=(ScratchDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}
ScratchDir::~ScratchDir() {
  if (!path_.empty()) remove_tree(path_);
}

}  // namespace arbor::base
