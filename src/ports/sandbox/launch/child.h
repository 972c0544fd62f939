// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstdint>

// The part of a launch that runs after the fork. Two processes of ours:
//
//   Arbor ──clone──▶ keeper ──fork──▶ starter ──exec──▶ bwrap (or the plain command)
//
// The keeper is the first process of a pid namespace (or a subreaper): every orphan of the command
// becomes its child, so that it knows when the last one is gone, and killing it kills them all. It
// never executes candidate code and stays invisible to it (one pid namespace further out).
// When Arbor is killed, so are they all: by the kernel with the keeper's pid namespace, or, without
// one, by the keeper, which then outlives Arbor for that moment.
//
// Arbor has many threads: between clone and exec only raw system calls on memory prepared before
// are allowed. Everything the child needs therefore stands in a ChildPlan.
namespace arbor::ports {

struct ChildLimit {
  int resource = 0;
  rlim_t soft = 0;
  rlim_t hard = 0;
};

struct ChildPlan {
  unsigned long namespaces = 0;  // CLONE_NEW* of the keeper; 0 = none, it becomes a subreaper
  const char* layers = nullptr;  // folder with lower, upper, work and merged; null = no overlay
  const char* lower = nullptr;   // the tree to lay the overlay over
  const char* overlay_options = nullptr;
  const char* directory = nullptr;  // the starter's working directory; null = where Arbor is

  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* environment = nullptr;

  int standard_input = -1;
  int standard_output = -1;
  int standard_error = -1;
  int ready = -1;      // written by the gate when everything is in place
  int release = -1;    // read by the gate: the command starts now
  int arguments = -1;  // bwrap's --args; may be absent
  int filter = -1;     // bwrap's --seccomp; may be absent
  int report = -1;     // ChildReport
  int go = -1;  // read by the keeper: a byte to begin, one to kill who is left; closed: it ends

  std::array<int, 4> cgroups = {-1, -1, -1, -1};  // cgroup.procs to join
  const cpu_set_t* cpus = nullptr;
  bool ends_with_command = false;
  std::array<ChildLimit, 6> limits;
  int limit_count = 0;
};

// Where gate, arguments and report are found after the plan's descriptors were moved.
inline constexpr int kReadyFd = 3;
inline constexpr int kReleaseFd = 4;
inline constexpr int kArgumentsFd = 5;
inline constexpr int kFilterFd = 6;

enum class ChildStep : std::int32_t {
  kNone,
  kPrivateMounts,
  kEnterLayers,
  kBindLower,
  kMountOverlay,
  kFork,
  kJoinCgroup,
  kPin,
  kLimit,
  kDirectory,
  kExec,
};
const char* child_step_name(ChildStep step);  // "mount the overlay"

// One write to the report pipe, small enough to be whole.
struct ChildReport {
  ChildStep failed_step = ChildStep::kNone;
  std::int32_t error = 0;            // errno of the failed step
  std::int32_t is_command_over = 0;  // the process that was started has ended
  std::int32_t is_done = 0;          // the last process is gone
  std::int32_t command_status = 0;   // wait status of the process that was started
  std::int64_t at_ns = 0;            // when that happened, CLOCK_BOOTTIME
};

struct StartedChild {
  pid_t pid = -1;  // -1: errno says why
  int pidfd = -1;
};
StartedChild start_child(const ChildPlan& plan);

}  // namespace arbor::ports
