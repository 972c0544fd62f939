// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/child.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace arbor::ports {
namespace {

constexpr int kReportFd = 7;
constexpr int kGoFd = 8;
constexpr int kFirstCgroupFd = 9;
constexpr std::size_t kSignalSetBytes = 8;  // the kernel's, not the C library's

[[noreturn]] void leave(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

void report(ChildReport message) {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_BOOTTIME, &now);
  message.at_ns = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  ::syscall(SYS_write, kReportFd, &message, sizeof message);
}

[[noreturn]] void fail_step(ChildStep step) {
  report({.failed_step = step, .error = errno});
  leave(127);
}

void close_from(unsigned first) { ::syscall(SYS_close_range, first, ~0U, 0); }

void move_fd(int from, int to, int flags) {
  if (from >= 0)
    ::syscall(SYS_dup3, from, to, flags);
  else
    ::syscall(SYS_close, to);
}

// Brings what is needed to fixed low numbers and closes everything else that Arbor has open.
void keep_only_planned_fds(const ChildPlan& plan) {
  move_fd(plan.standard_input, 0, 0);
  move_fd(plan.standard_output, 1, 0);
  move_fd(plan.standard_error, 2, 0);
  move_fd(plan.ready, kReadyFd, 0);
  move_fd(plan.release, kReleaseFd, 0);
  move_fd(plan.arguments, kArgumentsFd, 0);
  move_fd(plan.filter, kFilterFd, 0);
  move_fd(plan.report, kReportFd, O_CLOEXEC);
  move_fd(plan.go, kGoFd, O_CLOEXEC);
  int next = kFirstCgroupFd;
  for (const int cgroup : plan.cgroups)
    if (cgroup >= 0) move_fd(cgroup, next++, O_CLOEXEC);
  close_from(static_cast<unsigned>(next));
}

void wait_for_go() {
  char byte = 0;
  // An end of file means that Arbor is gone, an unexpected error that we cannot be controlled.
  long got = 0;
  do got = ::syscall(SYS_read, kGoFd, &byte, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1) leave(125);
}

void wait_for_the_end() {
  char word = 0;
  while (::syscall(SYS_read, kGoFd, &word, 1) == 1 || errno == EINTR) errno = 0;
}

void mount_layers(const ChildPlan& plan) {
  if (::syscall(SYS_mount, "none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    fail_step(ChildStep::kPrivateMounts);
  if (plan.layers == nullptr) return;
  // Relative names: the option string then needs no escapes whatever the folders are called.
  if (::syscall(SYS_chdir, plan.layers) != 0) fail_step(ChildStep::kEnterLayers);
  if (::syscall(SYS_mount, plan.lower, "lower", nullptr, MS_BIND, nullptr) != 0)
    fail_step(ChildStep::kBindLower);
  if (::syscall(SYS_mount, "overlay", "merged", "overlay", 0, plan.overlay_options) != 0)
    fail_step(ChildStep::kMountOverlay);
  if (::syscall(SYS_chdir, "/") != 0) fail_step(ChildStep::kEnterLayers);
}

// Handlers end at exec by themselves, but ignored signals and the mask would be inherited.
void restore_signals() {
  const unsigned long defaults[8] = {};
  for (int number = 1; number <= 64; ++number)
    ::syscall(SYS_rt_sigaction, number, defaults, nullptr, kSignalSetBytes);
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, defaults, nullptr, kSignalSetBytes);
}

void join_cgroups(const ChildPlan& plan) {
  int fd = kFirstCgroupFd;
  for (const int cgroup : plan.cgroups) {
    if (cgroup < 0) continue;
    if (::syscall(SYS_write, fd++, "0", 1) != 1) fail_step(ChildStep::kJoinCgroup);
  }
}

[[noreturn]] void run_starter(const ChildPlan& plan) {
  join_cgroups(plan);
  if (plan.cpus != nullptr &&
      ::syscall(SYS_sched_setaffinity, 0, sizeof(cpu_set_t), plan.cpus) != 0)
    fail_step(ChildStep::kPin);
  if (plan.directory != nullptr && ::syscall(SYS_chdir, plan.directory) != 0)
    fail_step(ChildStep::kDirectory);
  for (int i = 0; i < plan.limit_count; ++i) {
    const ChildLimit& limit = plan.limits[static_cast<std::size_t>(i)];
    const rlimit64 value{.rlim_cur = limit.soft, .rlim_max = limit.hard};
    if (::syscall(SYS_prlimit64, 0, limit.resource, &value, nullptr) != 0)
      fail_step(ChildStep::kLimit);
  }
  if (plan.namespaces == 0) ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  restore_signals();
  ::syscall(SYS_execve, plan.program, plan.argv, plan.environment);
  fail_step(ChildStep::kExec);
}

// Takes in who has ended and says at once when it is the command. False when no child is left.
bool reap(long starter, ChildReport& told) {
  for (;;) {
    int status = 0;
    const long pid = ::syscall(SYS_wait4, -1, &status, __WALL | WNOHANG, nullptr);
    if (pid == starter) {
      told.command_status = status;
      told.is_command_over = 1;
      report(told);
    }
    if (pid == 0) return true;
    if (pid < 0 && errno != EINTR) return false;
  }
}

// Kills the keeper's own children; whoever they leave behind becomes one, and is next.
void kill_children() {
  char text[4096];
  const long fd =
      ::syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  const long size = fd < 0 ? 0 : ::syscall(SYS_read, fd, text, sizeof text);
  if (fd >= 0) ::syscall(SYS_close, fd);
  long pid = 0;
  for (long i = 0; i < size; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      pid = pid * 10 + (text[i] - '0');
    } else {
      if (pid > 1) ::syscall(SYS_kill, pid, SIGKILL);
      pid = 0;
    }
  }
}

// Everyone but the keeper. Who forks meanwhile is killed the next time.
void kill_who_is_left(const ChildPlan& plan, long starter, ChildReport& told) {
  while (reap(starter, told)) {
    if (plan.namespaces != 0)
      ::syscall(SYS_kill, -1, SIGKILL);
    else
      kill_children();
    const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
    ::syscall(SYS_nanosleep, &pause, nullptr);
  }
}

// Arbor is gone. With a pid namespace the kernel kills everyone when the keeper ends; without one
// the keeper does.
[[noreturn]] void clean_up_after_arbor(const ChildPlan& plan, long starter, ChildReport& told) {
  if (plan.namespaces == 0) {
    ::syscall(SYS_kill, starter, SIGKILL);
    kill_who_is_left(plan, starter, told);
  }
  leave(0);
}

// Waits for the last process. Arbor may grow tired of those that the command left behind.
void outwait(const ChildPlan& plan, long starter, ChildReport& told) {
  const unsigned long child_signal = 1UL << (SIGCHLD - 1);
  const long ended =
      ::syscall(SYS_signalfd4, -1, &child_signal, kSignalSetBytes, SFD_CLOEXEC | SFD_NONBLOCK);
  while (reap(starter, told)) {
    if (told.is_command_over != 0 && plan.ends_with_command)
      return kill_who_is_left(plan, starter, told);
    pollfd watched[] = {{kGoFd, POLLIN, 0}, {static_cast<int>(ended), POLLIN, 0}};
    ::syscall(SYS_ppoll, watched, 2, nullptr, nullptr, kSignalSetBytes);
    if ((watched[0].revents & POLLIN) != 0) return kill_who_is_left(plan, starter, told);
    if ((watched[0].revents & (POLLHUP | POLLERR)) != 0) clean_up_after_arbor(plan, starter, told);
    char taken[sizeof(signalfd_siginfo)];
    ::syscall(SYS_read, ended, taken, sizeof taken);
  }
}

[[noreturn]] void run_keeper(const ChildPlan& plan) {
  const bool has_namespace = plan.namespaces != 0;
  if (has_namespace) ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  ::syscall(SYS_setsid);  // the terminal's Ctrl-C is Arbor's to handle
  keep_only_planned_fds(plan);
  if (!has_namespace) ::syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  wait_for_go();
  if (has_namespace) mount_layers(plan);
  const long starter = ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (starter < 0) fail_step(ChildStep::kFork);
  if (starter == 0) run_starter(plan);
  for (int fd = 0; fd < kReportFd; ++fd) ::syscall(SYS_close, fd);
  close_from(kFirstCgroupFd);

  ChildReport told;
  outwait(plan, starter, told);
  told.is_done = 1;
  report(told);
  wait_for_the_end();  // Arbor still reads files through our mounts
  leave(0);
}

}  // namespace

const char* child_step_name(ChildStep step) {
  switch (step) {
    case ChildStep::kNone:
      return "do nothing";
    case ChildStep::kPrivateMounts:
      return "make its mounts private";
    case ChildStep::kEnterLayers:
      return "enter the overlay's folder";
    case ChildStep::kBindLower:
      return "mount the tree under the overlay";
    case ChildStep::kMountOverlay:
      return "mount the overlay";
    case ChildStep::kFork:
      return "start a process";
    case ChildStep::kJoinCgroup:
      return "join its control group";
    case ChildStep::kPin:
      return "pin itself to the CPUs asked for";
    case ChildStep::kLimit:
      return "set a resource limit";
    case ChildStep::kDirectory:
      return "enter its working directory";
    case ChildStep::kExec:
      return "execute the launcher";
  }
  return "do an unknown step";
}

StartedChild start_child(const ChildPlan& plan) {
  // Signals stay blocked in the keeper: Arbor's handlers must not run there.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  StartedChild child;
  const unsigned long flags = plan.namespaces | CLONE_PIDFD | SIGCHLD;
  const long pid = ::syscall(SYS_clone, flags, 0, &child.pidfd, 0, 0);
  if (pid == 0) run_keeper(plan);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  child.pid = static_cast<pid_t>(pid);
  return child;
}

}  // namespace arbor::ports
