// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "base/files.h"

// Removes what anybody may have made: folders without rights for their owner, nested deeper than a
// path may be long or than files may be open. Every step is relative to an open folder, no link is
// followed, and whatever lies deeper than a bound is first moved up to the top.
namespace arbor::base {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxDepth = 64;  // folders that are open at once

class Removal {
 public:
  explicit Removal(int top) : top_(top) {}

  // Everything in the top folder.
  void run() {
    do {
      has_moved_ = false;
      for (const auto& name : names_in(top_)) remove(top_, name, 1);
    } while (has_moved_);
  }

  static int open_folder(int parent, const std::string& name) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = ::openat(parent, name.c_str(), kFlags);
    if (folder < 0 && errno == EACCES && ::fchmodat(parent, name.c_str(), S_IRWXU, 0) == 0)
      folder = ::openat(parent, name.c_str(), kFlags);
    struct stat status{};
    if (folder >= 0 && ::fstat(folder, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU)
      ::fchmod(folder, S_IRWXU);  // else nothing in it can be removed
    return folder;
  }

 private:
  static std::vector<std::string> names_in(int folder) {
    std::vector<std::string> names;
    const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* listing = own < 0 ? nullptr : ::fdopendir(own);
    if (listing == nullptr) {
      if (own >= 0) ::close(own);
      return names;
    }
    while (const dirent* entry = ::readdir(listing))
      if (const std::string name = entry->d_name; name != "." && name != "..")
        names.push_back(name);
    ::closedir(listing);
    return names;
  }

  void remove(int parent, const std::string& name, int depth) {
    struct stat status{};
    if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (!S_ISDIR(status.st_mode)) {
      ::unlinkat(parent, name.c_str(), 0);
      return;
    }
    if (depth > kMaxDepth && move_up(parent, name)) return;
    const int folder = open_folder(parent, name);
    if (folder < 0) return;
    for (const auto& child : names_in(folder)) remove(folder, child, depth + 1);
    ::close(folder);
    ::unlinkat(parent, name.c_str(), AT_REMOVEDIR);
  }

  bool move_up(int parent, const std::string& name) {
    const int folder = open_folder(parent, name);  // it must be writable to be moved
    if (folder >= 0) ::close(folder);
    std::string place;
    do place = fmt::format("deep-{}", ++serial_);
    while (::faccessat(top_, place.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    const bool is_moved = ::renameat(parent, name.c_str(), top_, place.c_str()) == 0;
    has_moved_ |= is_moved;
    return is_moved;
  }

  int top_;
  int serial_ = 0;
  bool has_moved_ = false;
};

}  // namespace

void remove_tree(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return;
  const int top = Removal::open_folder(AT_FDCWD, path.string());
  if (top < 0) return;
  Removal(top).run();
  ::close(top);
  ::rmdir(path.c_str());
}

}  // namespace arbor::base
