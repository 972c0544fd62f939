// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/bubblewrap/view_arguments.h"

#include <algorithm>
#include <set>

// A bind mount needs something to be mounted on. Below the emptied folders bwrap can create that;
// below the read-only root it cannot. There the nearest existing folder is *opened*: replaced by a
// fresh one that shows the same entries, read-only as before, and has room for new ones.
namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* kEmptied[] = {"/home", "/root", "/run", "/mnt", "/media", "/tmp", "/var/tmp"};

void append(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

// The emptied folders by their real names: one may be a link to elsewhere.
std::vector<fs::path> emptied_folders() {
  std::vector<fs::path> folders;
  for (const char* name : kEmptied) {
    std::error_code error;
    const fs::path real = fs::canonical(name, error);
    if (!error && fs::is_directory(real, error) && real != "/" &&
        std::ranges::find(folders, real) == folders.end())
      folders.push_back(real);
  }
  return folders;
}

bool is_emptied(const fs::path& path, const std::vector<fs::path>& emptied) {
  return std::ranges::any_of(emptied,
                             [&path](const fs::path& folder) { return is_within(path, folder); });
}

void show_entry(Arguments& arguments, const fs::directory_entry& entry) {
  std::error_code error;
  const std::string path = entry.path().string();
  if (entry.is_symlink(error))
    append(arguments, {"--symlink", fs::read_symlink(entry.path(), error).string(), path});
  else if (entry.is_directory(error) || entry.is_regular_file(error))
    append(arguments, {"--ro-bind-try", path, path});
}

void open_folder(Arguments& arguments, const fs::path& folder) {
  if (folder != "/") append(arguments, {"--perms", "0755", "--tmpfs", folder.string()});
  std::error_code error;
  std::set<fs::directory_entry> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    entries.insert(entry);
  for (const fs::directory_entry& entry : entries) show_entry(arguments, entry);
}

// Folders to open so that every target can be created, outermost first.
std::set<fs::path> folders_to_open(const std::vector<fs::path>& targets,
                                   const std::vector<fs::path>& emptied, const fs::path& tree_path,
                                   const std::vector<Mount>& mounts) {
  std::set<fs::path> opened;
  for (const fs::path& target : targets) {
    std::error_code error;
    if (is_emptied(target, emptied) || fs::exists(target, error)) continue;
    const bool is_in_tree = target != tree_path && is_within(target, tree_path);
    const bool is_in_mount = std::ranges::any_of(mounts, [&target](const Mount& mount) {
      return mount.target != target && is_within(target, mount.target);
    });
    if (is_in_tree || is_in_mount) continue;
    fs::path folder = target.parent_path();
    while (!fs::is_directory(folder, error) && folder.has_relative_path())
      folder = folder.parent_path();
    opened.insert(folder);
  }
  return opened;
}

void make_parents(Arguments& arguments, const fs::path& target) {
  fs::path folder = "/";
  for (const fs::path& part : target.parent_path().relative_path()) {
    folder /= part;
    append(arguments, {"--perms", "0755", "--dir", folder.string()});
  }
}

void bind(Arguments& arguments, const Mount& mount, const fs::path& tree_path) {
  // Inside the tree parents exist, or the launch may create them like any other folder.
  if (!is_within(mount.target, tree_path) || mount.target == tree_path)
    make_parents(arguments, mount.target);
  const bool is_device = is_within(mount.target, "/dev");
  const char* how = is_device ? "--dev-bind" : mount.is_writable ? "--bind" : "--ro-bind";
  append(arguments, {how, mount.source.string(), mount.target.string()});
}

void system_folders(Arguments& arguments, const std::vector<fs::path>& emptied) {
  for (const fs::path& folder : emptied) {
    const bool is_scratch = folder.filename() == "tmp";
    append(arguments, {"--perms", is_scratch ? "1777" : "0755", "--tmpfs", folder.string()});
  }
  append(arguments, {"--dev", "/dev", "--perms", "1777", "--tmpfs", "/dev/shm"});
  // Written to, it would be a way into the memory of other processes of the launch.
  append(arguments, {"--proc", "/proc", "--remount-ro", "/proc"});
  append(arguments,
         {"--perms", "0755", "--dir", "/run/arbor", "--perms", "1777", "--dir", kInnerHome});
}

// With the network goes the file that names its name servers, when it lives in an emptied folder.
void show_resolver(Arguments& arguments, const std::vector<fs::path>& emptied) {
  std::error_code error;
  const fs::path real = fs::canonical("/etc/resolv.conf", error);
  if (error || !is_emptied(real, emptied)) return;
  make_parents(arguments, real);
  append(arguments, {"--ro-bind", real.string(), real.string()});
}

}  // namespace

std::vector<std::string> view_arguments(const View& view, const fs::path& tree, bool has_network) {
  const std::vector<fs::path> emptied = emptied_folders();
  std::vector<Mount> mounts = {{tree, view.tree_path, true}};
  mounts.insert(mounts.end(), view.mounts.begin(), view.mounts.end());
  std::vector<fs::path> targets;
  for (Mount& mount : mounts) {
    mount.target = mount.target.lexically_normal();
    if (!mount.target.has_filename()) mount.target = mount.target.parent_path();
    targets.push_back(mount.target);
  }
  const fs::path tree_path = targets[0];
  const auto opened = folders_to_open(targets, emptied, tree_path, mounts);

  Arguments arguments;
  if (!opened.contains("/")) append(arguments, {"--ro-bind", "/", "/"});
  for (const fs::path& folder : opened) open_folder(arguments, folder);
  system_folders(arguments, emptied);
  if (has_network) show_resolver(arguments, emptied);
  for (const Mount& mount : mounts) bind(arguments, mount, tree_path);
  for (const fs::path& folder : opened) append(arguments, {"--remount-ro", folder.string()});
  return arguments;
}

}  // namespace arbor::ports
