// SPDX-License-Identifier: Apache-2.0
#include "ports/store/local_disk.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/text.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kFuseMagic = 0x65735546;

struct KnownMagic {
  std::uint32_t magic;
  std::string_view name;
};
// From statfs(2) and the kernel's magic.h; parallel file systems from their own sources.
constexpr KnownMagic kNetworkMagics[] = {
    {0x00006969, "NFS"},    {0xFF534D42, "CIFS"},  {0xFE534D42, "SMB2"},
    {0x0000517B, "SMB"},    {0x01021997, "9P"},    {0x00C36400, "Ceph"},
    {0x5346414F, "AFS"},    {0x6B414653, "AFS"},   {0x73757245, "Coda"},
    {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"},  {0x19830326, "BeeGFS"},
    {0x01161970, "GFS2"},   {0x7461636F, "OCFS2"}, {0x786F4256, "VirtualBox share"},
    {0x0000564C, "NCP"},    {0xAAD7AAEA, "PanFS"},
};
constexpr std::string_view kNetworkFuse[] = {
    "sshfs", "s3fs",   "rclone",   "glusterfs", "ceph",     "davfs", "gcsfuse",
    "smb",   "goofys", "blobfuse", "juicefs",   "mount-s3", "gvfs",  "curlftpfs"};

// The type of the mount that holds path: field after " - " of its line in mountinfo.
std::string mount_type(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return "";
  const std::string device =
      fmt::format("{}:{}", ::gnu_dev_major(status.st_dev), ::gnu_dev_minor(status.st_dev));
  const auto table = base::read_file("/proc/self/mountinfo");
  if (!table) return "";
  for (const auto line : base::lines_of(*table)) {
    const auto fields = base::split(line, ' ');
    const auto dash = line.find(" - ");
    if (fields.size() < 3 || fields[2] != device || dash == std::string_view::npos) continue;
    return std::string(base::split(line.substr(dash + 3), ' ').front());
  }
  return "";
}

}  // namespace

std::optional<std::string> network_file_system(std::uint32_t magic, std::string_view fuse_type) {
  for (const auto& known : kNetworkMagics)
    if (known.magic == magic) return std::string(known.name);
  if (magic != kFuseMagic) return std::nullopt;
  for (const auto name : kNetworkFuse)
    if (fuse_type.contains(name)) return std::string(fuse_type);
  return std::nullopt;
}

base::Result<void> require_local_disk(const fs::path& path) {
  std::error_code failed;
  fs::path existing = fs::absolute(path, failed);
  while (!fs::exists(existing, failed) && existing.has_relative_path())
    existing = existing.parent_path();
  struct statfs status{};
  if (::statfs(existing.c_str(), &status) != 0)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot ask for the file system of '{}': {}", existing.string(),
                                  std::strerror(errno)));
  const auto magic = static_cast<std::uint32_t>(status.f_type);
  const auto network =
      network_file_system(magic, magic == kFuseMagic ? mount_type(existing) : std::string());
  if (!network) return {};
  return base::fail(base::ErrorKind::kUsage,
                    fmt::format("'{}' lies on a network file system ({}), where a journal can be "
                                "lost without notice. Clone the program to a local disk and run "
                                "the campaign there.",
                                path.string(), *network));
}

std::string free_space_text(const fs::path& path) {
  struct statvfs status{};
  if (::statvfs(path.c_str(), &status) != 0) return "how much is free there is unknown";
  const double bytes = static_cast<double>(status.f_bavail) * static_cast<double>(status.f_frsize);
  return fmt::format("{:.1f} MB are free there", bytes / 1e6);
}

}  // namespace arbor::ports
