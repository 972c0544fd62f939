// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/supervise.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>

#include "base/text.h"
#include "ports/sandbox/launch/bounded_output.h"
#include "ports/sandbox/launch/disk_watch.h"
#include "ports/sandbox/launch/streams.h"
#include "ports/sandbox/launch/survivors.h"

namespace arbor::ports {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kSetupNs = 60 * kNsPerSecond;  // mounts and namespaces take milliseconds
constexpr std::int64_t kDeathNs = 30 * kNsPerSecond;  // SIGKILL waits for the disk at worst
constexpr std::int64_t kGraceNs = kNsPerSecond;       // at least, for who outlives the command
constexpr std::int64_t kKillAgainNs = kNsPerSecond / 50;

constexpr std::int64_t kDiskLookNs = kNsPerSecond / 10;

enum class Cut { kNone, kTimeout, kStopped, kSetupTimeout, kDisk };

// One launch while it lives.
class Supervisor {
 public:
  Supervisor(Supervision supervision, Streams streams, std::stop_token stop)
      : what_(std::move(supervision)),
        streams_(std::move(streams)),
        out_(what_.request->max_output_bytes),
        err_(what_.request->max_output_bytes),
        wakes_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        on_stop_(stop, [this] { ::eventfd_write(wakes_.get(), 1); }) {}

  base::Result<LaunchOutcome> run();

 private:
  base::Result<void> start();
  void attend();
  void on_ready();
  void on_report();
  void on_command_end(const ChildReport& message);
  void end_leftovers();
  bool fills_disk();
  void cut(Cut reason);
  std::int64_t next_event_ns() const;
  base::Result<LaunchOutcome> conclude();
  base::Error setup_error() const;
  void fill_status(LaunchOutcome& outcome, int keeper_status) const;
  void fill_usage(LaunchOutcome& outcome, const rusage& usage) const;

  Supervision what_;
  Streams streams_;
  BoundedOutput out_, err_;
  BoundedOutput late_{0};  // what was printed after the command's end: counted, not kept
  Descriptor wakes_;
  std::stop_callback<std::function<void()>> on_stop_;

  StartedChild child_;
  Descriptor pidfd_;
  ChildReport report_;
  std::optional<base::Error> unprepared_;
  DiskWatch disk_;
  std::int64_t disk_look_ns_ = 0;  // when to look next
  Cut cut_ = Cut::kNone;
  bool is_released_ = false;
  bool is_command_over_ = false;
  bool outlived_ = false;
  bool ends_leftovers_ = false;
  bool is_over_ = false;  // the keeper said so, or is dead
  std::int64_t deadline_ns_ = 0;
  std::int64_t died_by_ns_ = 0;
  std::int64_t released_ns_ = 0;
  std::int64_t ended_ns_ = 0;
  CgroupTimes times_before_;
};

bool write_proc(pid_t pid, const char* file, const std::string& text) {
  const Descriptor fd(::open(fmt::format("/proc/{}/{}", pid, file).c_str(), O_WRONLY | O_CLOEXEC));
  return fd.is_open() &&
         ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Inside its user namespace the keeper is who it was outside.
bool map_user(pid_t pid) {
  return write_proc(pid, "setgroups", "deny") &&
         write_proc(pid, "uid_map", fmt::format("{0} {0} 1\n", ::geteuid())) &&
         write_proc(pid, "gid_map", fmt::format("{0} {0} 1\n", ::getegid()));
}

base::Result<void> Supervisor::start() {
  ARBOR_TRY(disk_, DiskWatch::start(what_.written, what_.request->limits.disk_reserve_bytes));
  streams_.fill(what_.plan);
  if (what_.cgroup != nullptr) what_.plan.cgroups = what_.cgroup->join_fds();
  child_ = start_child(what_.plan);
  const int error = errno;
  streams_.close_childs_ends();
  if (child_.pid < 0)
    return base::fail(
        error == EPERM ? base::ErrorKind::kUnsupported : base::ErrorKind::kIo,
        fmt::format("cannot create the namespaces of a launch: {}", std::strerror(error)));
  pidfd_ = Descriptor(child_.pidfd);
  deadline_ns_ = boot_time_ns() + kSetupNs;
  if (what_.maps_user && !map_user(child_.pid)) {
    const int map_error = errno;
    cut(Cut::kSetupTimeout);
    ::waitpid(child_.pid, nullptr, 0);
    return base::fail(base::ErrorKind::kUnsupported,
                      fmt::format("cannot map the user of a launch: {}", std::strerror(map_error)));
  }
  return streams_.go();
}

void Supervisor::on_ready() {
  if (!streams_.read_ready() || is_released_) return;
  if (what_.prepare) {
    if (auto prepared = what_.prepare(child_.pid); !prepared) {
      unprepared_ = std::move(prepared).error();
      cut(Cut::kNone);
      return;
    }
  }
  if (what_.cgroup != nullptr) times_before_ = what_.cgroup->times().value_or(CgroupTimes{});
  is_released_ = true;
  released_ns_ = boot_time_ns();
  deadline_ns_ = released_ns_ + static_cast<std::int64_t>(what_.request->limits.wall_s * 1e9);
  streams_.release();
}

void Supervisor::on_report() {
  ChildReport message;
  while (streams_.read_report(message)) {
    if (message.failed_step != ChildStep::kNone) {
      report_ = message;
      cut(Cut::kNone);
      continue;
    }
    if (!is_command_over_) on_command_end(message);
    if (message.is_done == 0) continue;
    const ChildStep failed = report_.failed_step;
    report_ = message;
    report_.failed_step = failed;
    if (!what_.request->ends_with_command) ended_ns_ = message.at_ns;
    is_over_ = true;
  }
}

// Only the command answers for what it prints: what others say after its end does not count.
void Supervisor::on_command_end(const ChildReport& message) {
  is_command_over_ = true;
  report_.command_status = message.command_status;
  streams_.read_all_output(out_);
  streams_.read_all_error(err_);
  ended_ns_ = message.at_ns;
  if (!is_released_ || died_by_ns_ != 0) return;
  outlived_ = has_survivors(child_.pid, what_.generations);
  const std::int64_t grace_ns = std::max(kGraceNs, ended_ns_ - released_ns_);
  deadline_ns_ = std::min(deadline_ns_, ended_ns_ + grace_ns);
}

// The keeper does it, so that files can be collected afterwards; if even that takes too long it
// dies with them.
void Supervisor::end_leftovers() {
  if (ends_leftovers_) return cut(Cut::kNone);
  ends_leftovers_ = true;
  outlived_ = true;
  deadline_ns_ = boot_time_ns() + kDeathNs;
  streams_.kill_leftovers();
}

void Supervisor::cut(Cut reason) {
  if (cut_ == Cut::kNone) cut_ = reason;
  if (died_by_ns_ == 0) died_by_ns_ = boot_time_ns() + kDeathNs;
  what_.kill(child_.pid, pidfd_.get());
}

std::int64_t Supervisor::next_event_ns() const {
  if (died_by_ns_ != 0) return boot_time_ns() + kKillAgainNs;
  return disk_.is_watching() ? std::min(deadline_ns_, disk_look_ns_) : deadline_ns_;
}

bool Supervisor::fills_disk() {
  if (!disk_.is_watching() || !is_released_ || boot_time_ns() < disk_look_ns_) return false;
  disk_look_ns_ = boot_time_ns() + kDiskLookNs;
  return disk_.is_short();
}

// Waits for the next thing to happen and handles it.
void Supervisor::attend() {
  std::array<pollfd, 6> polled = {{{pidfd_.get(), POLLIN, 0},
                                   {streams_.report_fd(), POLLIN, 0},
                                   {is_released_ ? -1 : streams_.ready_fd(), POLLIN, 0},
                                   {streams_.output_fd(), POLLIN, 0},
                                   {streams_.error_fd(), POLLIN, 0},
                                   {wakes_.get(), POLLIN, 0}}};
  const std::int64_t wait_ns = std::max<std::int64_t>(0, next_event_ns() - boot_time_ns());
  const timespec wait{.tv_sec = wait_ns / kNsPerSecond, .tv_nsec = wait_ns % kNsPerSecond};
  ::ppoll(polled.data(), polled.size(), &wait, nullptr);
  if (polled[1].revents != 0) on_report();
  if (polled[0].revents != 0 && !is_over_) {
    on_report();  // its last words may have come between the two
    if (!is_over_) ended_ns_ = boot_time_ns();
    is_over_ = true;
  }
  if (is_over_) return;
  if (polled[2].revents != 0) on_ready();
  if (polled[3].revents != 0) streams_.read_output(is_command_over_ ? late_ : out_);
  if (polled[4].revents != 0) streams_.read_error(is_command_over_ ? late_ : err_);
  if (polled[5].revents != 0) {
    eventfd_t ignored = 0;
    ::eventfd_read(wakes_.get(), &ignored);
    cut(Cut::kStopped);
  } else if (died_by_ns_ != 0) {
    cut(cut_);
  } else if (fills_disk()) {
    cut(Cut::kDisk);
  } else if (boot_time_ns() >= deadline_ns_) {
    if (is_command_over_)
      end_leftovers();
    else
      cut(is_released_ ? Cut::kTimeout : Cut::kSetupTimeout);
  }
}

base::Error Supervisor::setup_error() const {
  const std::string command = base::shell_command(what_.request->argv);
  std::string reason = "it ended before the command was started";
  if (report_.failed_step != ChildStep::kNone)
    reason = fmt::format("it could not {}: {}", child_step_name(report_.failed_step),
                         std::strerror(report_.error));
  else if (cut_ == Cut::kSetupTimeout)
    reason = "mounts and namespaces were not ready within a minute";
  const std::string words = base::printable(base::trim(err_.text()));
  return {base::ErrorKind::kIo,
          fmt::format("the sandbox of `{}` failed: {}{}{}", base::shortened(command, 300), reason,
                      words.empty() ? "" : ". It said: ", base::shortened(words, 2000))};
}

void Supervisor::fill_status(LaunchOutcome& outcome, int keeper_status) const {
  const int status = is_command_over_ ? report_.command_status : keeper_status;
  outcome.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  // The launcher passes a death by signal on as 128 + signal, as shells do.
  if (outcome.exit_code > 128 && outcome.exit_code <= 128 + 64)
    outcome.signal = outcome.exit_code - 128;
  outcome.is_timeout = cut_ == Cut::kTimeout;
  outcome.is_out_of_disk |= cut_ == Cut::kDisk;
  if (outcome.is_timeout || cut_ == Cut::kDisk) {
    outcome.signal = SIGKILL;
    outcome.exit_code = 128 + SIGKILL;
  }
}

void Supervisor::fill_usage(LaunchOutcome& outcome, const rusage& usage) const {
  const auto ns_of = [](const timeval& time) {
    return time.tv_sec * kNsPerSecond + time.tv_usec * 1000;
  };
  outcome.wall_ns = ended_ns_ - released_ns_;
  outcome.user_ns = ns_of(usage.ru_utime);
  outcome.system_ns = ns_of(usage.ru_stime);
  if (usage.ru_maxrss > 0) outcome.peak_bytes = usage.ru_maxrss * 1024L;
  if (what_.cgroup == nullptr) return;
  if (const auto times = what_.cgroup->times()) {
    outcome.user_ns = std::max<std::int64_t>(0, times->user_ns - times_before_.user_ns);
    outcome.system_ns = std::max<std::int64_t>(0, times->system_ns - times_before_.system_ns);
  }
  if (const auto peak = what_.cgroup->peak_bytes()) outcome.peak_bytes = peak;
  outcome.memory_stall_ns = what_.cgroup->memory_stall_ns();
  outcome.is_out_of_memory = what_.cgroup->was_out_of_memory();
}

base::Result<LaunchOutcome> Supervisor::conclude() {
  LaunchOutcome outcome;
  outcome.is_out_of_disk = is_released_ && disk_.is_short();  // in less time than between two looks
  if (report_.is_done != 0 && is_released_ && what_.collect) what_.collect(child_.pid, outcome);
  streams_.let_keeper_end();
  int status = 0;
  rusage usage{};
  while (::wait4(child_.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  while (streams_.read_output(is_command_over_ ? late_ : out_)) {
  }
  while (streams_.read_error(is_command_over_ ? late_ : err_)) {
  }
  if (cut_ == Cut::kStopped)
    return base::fail(base::ErrorKind::kCancelled,
                      fmt::format("`{}` was stopped", base::shell_command(what_.request->argv)));
  if (unprepared_) return std::unexpected(*unprepared_);
  if (!is_released_ || report_.failed_step != ChildStep::kNone)
    return std::unexpected(setup_error());
  fill_status(outcome, status);
  fill_usage(outcome, usage);
  outcome.outlived = outlived_ || (late_.is_truncated() && !outcome.is_timeout);
  outcome.is_truncated = out_.is_truncated() || err_.is_truncated();
  outcome.standard_output = out_.text();
  outcome.standard_error = err_.text();
  return outcome;
}

base::Result<LaunchOutcome> Supervisor::run() {
  ARBOR_TRY_VOID(start());
  while (!is_over_) {
    if (died_by_ns_ != 0 && boot_time_ns() > died_by_ns_)
      return base::fail(base::ErrorKind::kInternal,
                        fmt::format("process {} survived SIGKILL for {} s (blocked on a disk or a "
                                    "device?): look at /proc/{}/stack",
                                    child_.pid, kDeathNs / kNsPerSecond, child_.pid));
    attend();
  }
  return conclude();
}

}  // namespace

std::int64_t boot_time_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

void kill_namespace(pid_t, int pidfd) {
  ::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0);
}

base::Result<LaunchOutcome> supervise(Supervision supervision, std::stop_token stop) {
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "stopped before the launch");
  ARBOR_TRY(auto streams, Streams::open(supervision));
  return Supervisor(std::move(supervision), std::move(streams), std::move(stop)).run();
}

}  // namespace arbor::ports
