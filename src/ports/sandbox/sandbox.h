// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"

// Where everything of the program under optimisation runs: build, check, bench, profile, agents.
namespace arbor::ports {

struct Mount {
  std::filesystem::path source;  // on the host
  std::filesystem::path target;  // absolute, inside
  bool is_writable = false;
  bool operator==(const Mount&) const = default;
};

// What one launch sees. Everything else of the host's root file system is read-only; /home, /root,
// /run, /mnt, /media, /tmp and /var/tmp are empty but for the mounts named here.
struct View {
  std::filesystem::path tree;       // host folder of the checked-out (and perhaps built) tree
  std::filesystem::path tree_path;  // where it appears: the user's own repository path
  bool discard_writes = false;      // an overlay over tree, thrown away after the launch
  std::vector<Mount> mounts;  // applied in order after the tree, so they may cover parts of it
  // Paths relative to tree_path that are gone when the command starts, whatever stands there: a
  // build may have left what a launch is to make. Needs discard_writes; mounts are not touched.
  std::vector<std::string> removed = {};
  bool operator==(const View&) const = default;
};

struct Limits {
  double wall_s = 600;
  double cpu_s = 0;               // 0 = none
  std::int64_t memory_bytes = 0;  // of the whole process tree; 0 = none
  int processes = 0;              // 0 = none
  std::int64_t file_bytes = 0;    // largest file it may write; 0 = none
  // Killed when the disk it writes to has less left for others than this; 0 = none.
  std::int64_t disk_reserve_bytes = 0;
  bool operator==(const Limits&) const = default;
};

struct LaunchRequest {
  std::vector<std::string> argv;  // argv[0] is looked up in the inner PATH
  std::filesystem::path cwd;      // inside
  View view;
  std::map<std::string, std::string>
      environment;  // all of it, but for HOME, TMPDIR and PATH defaults
  Limits limits;
  bool has_network = false;
  // Who outlives the command is killed with it: a build may leave a compiler's server behind. Else
  // the launch lasts until its last process is gone; who stays for longer than the command took
  // (and a second) is killed then. What leftovers print does not count.
  bool ends_with_command = false;
  std::vector<int> cpus;  // pinned to these; empty = not pinned
  std::string standard_input;
  std::size_t max_output_bytes = 16UL << 20;  // of each stream; the middle of more is dropped
  // Files inside tree_path to hand back although writes are discarded (outputs that are compared).
  std::vector<std::string> collect;  // paths relative to tree_path
};

struct LaunchOutcome {
  int exit_code = 0;  // of the command; 128 + signal when killed by one
  int signal = 0;
  bool is_timeout = false;        // we killed it at limits.wall_s
  bool is_out_of_memory = false;  // the memory limit killed something in it
  bool is_out_of_disk = false;    // it left less than limits.disk_reserve_bytes free
  bool is_truncated = false;      // some output was dropped
  bool outlived = false;          // processes of it were alive when the command had ended
  std::int64_t wall_ns = 0;       // from the command's release until its last process is gone
  std::int64_t user_ns = 0;       // of all its processes
  std::int64_t system_ns = 0;
  std::optional<std::int64_t> peak_bytes;  // of the tree with cgroups, of the largest process else
  // How long processes of it waited for memory; only where a control group of its own can tell.
  std::optional<std::int64_t> memory_stall_ns;
  std::string standard_output;
  std::string standard_error;
  std::map<std::string, std::string> collected;  // path → bytes; missing files are absent
};

struct SandboxTraits {
  std::string name;                // "bubblewrap", "none (--unsafe)"
  bool isolates = false;           // mounts, network and process namespaces
  bool limits_memory = false;      // of the whole tree
  std::string cgroup;              // "v1", "v2", "none"
  std::vector<std::string> notes;  // what is missing and how to get it
};

// Thread-safe; launch blocks. Nothing of a launch outlives the call: no process, mount or scratch
// file. A command that fails is an outcome; errors are ours: kUnsupported (no way to isolate here),
// kIo (mount, disk), kCancelled (stop was requested; everything is killed first).
class Sandbox {
 public:
  virtual ~Sandbox() = default;
  virtual SandboxTraits traits() const = 0;
  virtual base::Result<LaunchOutcome> launch(const LaunchRequest& request,
                                             std::stop_token stop) = 0;
};

// The best implementation that this machine offers; kUnsupported with what to install when there
// is none. is_unsafe: the user accepts plain processes (--unsafe).
// scratch: a folder for overlays on a local disk, created if missing.
base::Result<std::unique_ptr<Sandbox>> open_sandbox(const std::filesystem::path& scratch,
                                                    bool is_unsafe);

}  // namespace arbor::ports
