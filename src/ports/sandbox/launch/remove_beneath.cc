// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/remove_beneath.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/subprocess.h"
#include "ports/sandbox/launch/descriptor.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr double kToolTimeoutS = 50;

// By this name other processes of ours reach an open folder, however long its path is.
std::string path_of(const Descriptor& folder) {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), folder.get());
}

// An ordinary user's way into a folder of their own that was closed.
void open_up(const Descriptor& folder) {
  struct stat info{};
  if (::geteuid() == 0) return;
  if (::fstat(folder.get(), &info) == 0 && (info.st_mode & S_IRWXU) != S_IRWXU)
    static_cast<void>(::chmod(path_of(folder).c_str(), (info.st_mode & 07777) | S_IRWXU));
}

bool is_missing(const Descriptor& folder, const std::string& name) {
  const int error = errno;
  struct stat info{};
  if (::fstatat(folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
    return true;
  errno = error;
  return false;
}

// Folders of any depth: these tools are made for it.
void remove_folder(const std::string& path) {
  base::ToolCall call;
  call.timeout_s = kToolTimeoutS / 3;
  call.argv = {"rm", "-rf", "--", path};
  if (const auto ran = base::run_tool(call); ran && ran->exit_code == 0) return;
  call.argv = {"chmod", "-R", "u+rwX", "--", path};
  static_cast<void>(base::run_tool(call));
  call.argv = {"rm", "-rf", "--", path};
  static_cast<void>(base::run_tool(call));
}

base::Result<void> remove_one(const fs::path& tree, const std::string& relative) {
  const fs::path path = fs::path(relative).lexically_normal();
  Descriptor folder(::open(tree.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::string name;  // the part after folder
  for (const fs::path& part : path) {
    if (part.empty()) continue;
    if (!name.empty()) {
      constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
      folder = Descriptor(::openat(folder.get(), name.c_str(), kFlags));
      if (!folder.is_open() && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) return {};
    }
    if (!folder.is_open()) break;
    open_up(folder);
    name = part.string();
  }
  if (folder.is_open()) {
    if (::unlinkat(folder.get(), name.c_str(), 0) == 0) return {};
    if (errno == EISDIR) remove_folder(path_of(folder) + "/" + name);
    if (is_missing(folder, name)) return {};
  }
  return base::fail(base::ErrorKind::kIo, fmt::format("cannot remove '{}' from a launch's tree: {}",
                                                      relative, std::strerror(errno)));
}

bool is_covered(const View& view, const std::string& relative) {
  const fs::path inside = (view.tree_path / relative).lexically_normal();
  for (const Mount& mount : view.mounts) {
    const fs::path within = inside.lexically_relative(mount.target.lexically_normal());
    if (!within.empty() && *within.begin() != "..") return true;
  }
  return false;
}

}  // namespace

base::Result<void> remove_beneath(const fs::path& tree, const View& view) {
  for (const std::string& path : view.removed)
    if (!is_covered(view, path)) ARBOR_TRY_VOID(remove_one(tree, path));
  return {};
}

}  // namespace arbor::ports
