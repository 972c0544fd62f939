// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "ports/sandbox/launch/supervise.h"

namespace arbor::ports {
namespace {

base::Result<Descriptor> open_input(std::string_view text) {
  if (!text.empty()) return memory_file("standard-input", text);
  Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null.is_open())
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot open '/dev/null': {}", std::strerror(errno)));
  return raised(std::move(null));
}

// Writing to a launch that just died must not raise SIGPIPE in Arbor, whatever it does with it.
bool write_byte(const Descriptor& fd) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = ::write(fd.get(), "\n", 1);
  const int error = errno;
  if (written < 0 && error == EPIPE && !was_pending) {
    const timespec at_once{};
    sigtimedwait(&pipe_signal, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written == 1;
}

}  // namespace

base::Result<Streams> Streams::open(const Supervision& supervision) {
  Streams streams;
  ARBOR_TRY(streams.input_, open_input(supervision.request->standard_input));
  for (Pipe* pipe : {&streams.output_, &streams.error_, &streams.ready_, &streams.release_,
                     &streams.report_, &streams.go_}) {
    ARBOR_TRY(*pipe, open_pipe());
  }
  for (const Pipe* pipe : {&streams.output_, &streams.error_, &streams.ready_, &streams.report_})
    set_non_blocking(pipe->read_end);
  // A command may open /dev/stdout by its name, but only to write: who reads from the pipe takes
  // out what others have printed. It stays ours, so that the mode stays as well.
  for (const Pipe* pipe : {&streams.output_, &streams.error_})
    static_cast<void>(::fchmod(pipe->write_end.get(), S_IWUSR | S_IWGRP | S_IWOTH));
  if (supervision.gives_streams && !supervision.request->standard_input.empty())
    static_cast<void>(::fchown(streams.input_.get(), supervision.owner_uid, supervision.owner_uid));
  return streams;
}

void Streams::fill(ChildPlan& plan) const {
  plan.standard_input = input_.get();
  plan.standard_output = output_.write_end.get();
  plan.standard_error = error_.write_end.get();
  plan.ready = ready_.write_end.get();
  plan.release = release_.read_end.get();
  plan.report = report_.write_end.get();
  plan.go = go_.read_end.get();
}

void Streams::close_childs_ends() {
  input_.close();
  for (Pipe* pipe : {&output_, &error_, &ready_, &report_}) pipe->write_end.close();
  for (Pipe* pipe : {&release_, &go_}) pipe->read_end.close();
}

base::Result<void> Streams::go() {
  if (!write_byte(go_.write_end) && errno != EPIPE)
    return base::fail(base::ErrorKind::kIo,
                      fmt::format("cannot start a launch: {}", std::strerror(errno)));
  return {};
}

void Streams::release() { write_byte(release_.write_end); }

void Streams::kill_leftovers() { write_byte(go_.write_end); }

void Streams::let_keeper_end() { go_.write_end.close(); }

bool Streams::read_ready() {
  char byte = 0;
  const ssize_t got = ::read(ready_.read_end.get(), &byte, 1);
  if (got == 0) ready_.read_end.close();
  return got == 1;
}

bool Streams::read_report(ChildReport& report) {
  const ssize_t got = ::read(report_.read_end.get(), &report, sizeof report);
  if (got == 0) report_.read_end.close();
  return got == static_cast<ssize_t>(sizeof report);
}

bool Streams::read_some(Descriptor& stream, BoundedOutput& into) {
  if (!stream.is_open()) return false;
  char buffer[65536];
  const ssize_t got = ::read(stream.get(), buffer, sizeof buffer);
  if (got > 0) into.append({buffer, static_cast<std::size_t>(got)});
  if (got < 0 && errno == EINTR) return true;
  if (got == 0 || (got < 0 && errno != EAGAIN)) stream.close();
  return got > 0;
}

void Streams::read_present(const Descriptor& stream, BoundedOutput& into) {
  int present = 0;
  if (!stream.is_open() || ::ioctl(stream.get(), FIONREAD, &present) != 0) return;
  char buffer[65536];
  while (present > 0) {
    const std::size_t wanted = std::min(sizeof buffer, static_cast<std::size_t>(present));
    const ssize_t got = ::read(stream.get(), buffer, wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    into.append({buffer, static_cast<std::size_t>(got)});
    present -= static_cast<int>(got);
  }
}

}  // namespace arbor::ports
