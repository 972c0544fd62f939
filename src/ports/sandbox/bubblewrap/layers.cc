// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/layers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/subprocess.h"
#include "ports/sandbox/launch/leftovers.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

constexpr double kCopyTimeoutS = 600;

// The top folder of what the launch sees is upper's: it must look like the tree's.
base::Result<void> dress_like(const fs::path& folder, const fs::path& tree) {
  struct stat info{};
  const bool is_done =
      ::stat(tree.c_str(), &info) == 0 &&
      (info.st_uid == ::geteuid() || ::lchown(folder.c_str(), info.st_uid, info.st_gid) == 0) &&
      ::chmod(folder.c_str(), info.st_mode & 07777) == 0;
  if (is_done) return {};
  return base::fail(base::ErrorKind::kIo, fmt::format("cannot prepare '{}' for a launch: {}",
                                                      folder.string(), std::strerror(errno)));
}

}  // namespace

std::string overlay_options(bool in_user_namespace) {
  return fmt::format("lowerdir=lower,upperdir=upper,workdir=work{}",
                     in_user_namespace ? ",userxattr" : "");
}

base::Result<Layers> Layers::for_overlay(const fs::path& scratch, const fs::path& tree,
                                         std::string options) {
  ARBOR_TRY(auto folder, base::ScratchDir::create(scratch, kLaunchPrefix));
  for (const char* name : {"lower", "upper", "work", "merged"}) {
    const fs::path made = folder.path() / name;
    if (::mkdir(made.c_str(), 0755) != 0)
      return base::fail(base::ErrorKind::kIo,
                        fmt::format("cannot create '{}': {}", made.string(), std::strerror(errno)));
  }
  ARBOR_TRY_VOID(dress_like(folder.path() / "upper", tree));
  return Layers(std::move(folder), tree, std::move(options));
}

base::Result<Layers> Layers::by_copy(const fs::path& scratch, const fs::path& tree,
                                     std::stop_token stop) {
  ARBOR_TRY(auto folder, base::ScratchDir::create(scratch, kLaunchPrefix));
  base::ToolCall copy;
  copy.argv = {"cp", "-a",          "--reflink=auto",
               "--", tree.string(), (folder.path() / "merged").string()};
  copy.timeout_s = kCopyTimeoutS;
  auto copied = base::run_tool_ok(copy, stop);
  if (!copied) return base::fail_in("copying the tree for a launch", std::move(copied).error());
  return Layers(std::move(folder), tree, "");
}

void Layers::fill(ChildPlan& plan) const {
  if (!is_overlay()) return;
  plan.layers = folder_.path().c_str();
  plan.lower = tree_.c_str();
  plan.overlay_options = options_.c_str();
}

}  // namespace arbor::ports
