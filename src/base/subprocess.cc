// SPDX-License-Identifier: Apache-2.0
#include "base/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace arbor::base {
namespace {
using SteadyClock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1, write_end = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  static void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
};

std::vector<std::string> environment_of(const ToolCall& call) {
  std::map<std::string, std::string> variables = call.environment;
  for (const char* kept : {"PATH", "HOME"})
    if (const char* value = std::getenv(kept); value != nullptr) variables.try_emplace(kept, value);
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Result<pid_t> spawn(const ToolCall& call, Pipe& in, Pipe& out, Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read_end, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  if (!call.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, call.cwd.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigfillset(&defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> argv = call.argv, environment = environment_of(call);
  pid_t pid = -1;
  const int status = ::posix_spawnp(&pid, argv[0].c_str(), &actions, &attributes,
                                    pointers_to(argv).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (status == ENOENT)
    return fail(ErrorKind::kNotFound, fmt::format("'{}' is not installed or not in PATH", argv[0]));
  if (status != 0)
    return fail(ErrorKind::kIo,
                fmt::format("cannot start '{}': {}", argv[0], std::strerror(status)));
  return pid;
}

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string& text, std::size_t max_bytes, bool& is_truncated) {
  char buffer[65536];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  const std::size_t room = max_bytes - std::min(max_bytes, text.size());
  is_truncated |= static_cast<std::size_t>(got) > room;
  text.append(buffer, std::min(static_cast<std::size_t>(got), room));
  return true;
}

// Writes a part of the input; false when all is written or nobody reads any more.
bool feed(int fd, std::string_view& input) {
  const ssize_t written = ::write(fd, input.data(), input.size());
  if (written < 0) return errno == EINTR || errno == EAGAIN;
  input.remove_prefix(static_cast<std::size_t>(written));
  return !input.empty();
}

enum class End { kClosed, kTimeout, kStopped };

End pump(const ToolCall& call, Pipe& in, Pipe& out, Pipe& err, ToolOutput& output,
         std::stop_token stop) {
  const auto deadline = SteadyClock::now() + std::chrono::duration<double>(call.timeout_s);
  std::string_view input = call.standard_input;
  if (input.empty()) Pipe::close_end(in.write_end);
  while (out.read_end >= 0 || err.read_end >= 0) {
    if (stop.stop_requested()) return End::kStopped;
    if (SteadyClock::now() >= deadline) return End::kTimeout;
    pollfd watched[] = {
        {in.write_end, POLLOUT, 0}, {out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}};
    if (::poll(watched, 3, 50) <= 0) continue;
    if (watched[0].revents != 0 && !feed(in.write_end, input)) Pipe::close_end(in.write_end);
    if (watched[1].revents != 0 &&
        !drain(out.read_end, output.standard_output, call.max_output_bytes, output.is_truncated))
      Pipe::close_end(out.read_end);
    if (watched[2].revents != 0 &&
        !drain(err.read_end, output.standard_error, call.max_output_bytes, output.is_truncated))
      Pipe::close_end(err.read_end);
  }
  return End::kClosed;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<ToolOutput> run_tool(const ToolCall& call, std::stop_token stop) {
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open())
    return fail(ErrorKind::kIo, fmt::format("cannot open a pipe: {}", std::strerror(errno)));
  ::fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  ARBOR_TRY(const pid_t pid, spawn(call, in, out, err));
  Pipe::close_end(in.read_end);
  Pipe::close_end(out.write_end);
  Pipe::close_end(err.write_end);
  ToolOutput output;
  const End end = pump(call, in, out, err, output, std::move(stop));
  if (end != End::kClosed) ::kill(-pid, SIGKILL);
  output.exit_code = wait_for(pid);
  if (end == End::kTimeout)
    return fail(ErrorKind::kTimeout, fmt::format("'{}' did not end within {}", call.argv[0],
                                                 format_duration(call.timeout_s)));
  if (end == End::kStopped)
    return fail(ErrorKind::kCancelled, fmt::format("'{}' was stopped", call.argv[0]));
  return output;
}

Result<std::string> run_tool_ok(const ToolCall& call, std::stop_token stop) {
  ARBOR_TRY(ToolOutput output, run_tool(call, std::move(stop)));
  if (output.exit_code == 0) return std::move(output.standard_output);
  const auto words =
      trim(output.standard_error.empty() ? output.standard_output : output.standard_error);
  return fail(ErrorKind::kInternal,
              fmt::format("'{}' failed with code {}: {}", shell_command(call.argv),
                          output.exit_code, shortened(printable(words), 2000)));
}

}  // namespace arbor::base
