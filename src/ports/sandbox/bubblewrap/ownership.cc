// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/ownership.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace arbor::ports {
namespace {

struct CloseWalk {
  void operator()(FTS* walk) const { ::fts_close(walk); }
};

bool is_given_away(const FTSENT& entry, uid_t uid) {
  const mode_t type = entry.fts_statp->st_mode & S_IFMT;
  if (type != S_IFREG && type != S_IFDIR && type != S_IFLNK) return false;
  if (type == S_IFREG && entry.fts_statp->st_nlink > 1) return false;
  return entry.fts_statp->st_uid != uid;
}

}  // namespace

base::Result<void> give_tree(const std::filesystem::path& tree, uid_t uid) {
  struct stat top{};
  if (::lstat(tree.c_str(), &top) != 0)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot look at '{}': {}", tree.string(), std::strerror(errno)));
  if (top.st_uid == uid) return {};
  std::string path = tree.string();
  char* const roots[] = {path.data(), nullptr};
  // Physical and on one device: no link is followed, nothing mounted inside is touched.
  const std::unique_ptr<FTS, CloseWalk> walk(
      ::fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, nullptr));
  if (walk == nullptr)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  while (const FTSENT* entry = ::fts_read(walk.get())) {
    if (entry->fts_info == FTS_D || !is_given_away(*entry, uid)) continue;  // folders on the way up
    if (::lchown(entry->fts_accpath, uid, uid) != 0)
      return base::fail(
          base::ErrorKind::kIo,
          fmt::format("cannot make '{}' writable for the sandbox's user {}: {}. Is it on a file "
                      "system without owners? Choose another folder for trees",
                      entry->fts_path, uid, std::strerror(errno)));
  }
  return {};
}

}  // namespace arbor::ports
