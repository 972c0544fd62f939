// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "app/cli/terminal.h"
#include "app/wiring.h"

namespace arbor::app {
namespace {

std::atomic<int> first_signal = SIGINT;

// Waits for signals in a thread of its own: nothing has to be async-signal-safe.
void watch(const sigset_t& signals, std::stop_source source) {
  int signal = 0;
  while (::sigwait(&signals, &signal) == 0) {
    if (source.stop_requested()) ::_exit(128 + signal);
    first_signal = signal;
    source.request_stop();
  }
}

// nohup ignores it before we start. A blocked signal is delivered to sigwait all the same.
bool is_hang_up_ignored() {
  struct sigaction action{};
  return ::sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

int exit_code_of_interruption() { return 128 + first_signal; }

std::stop_token interrupted() {
  static const std::stop_source kSource = [] {
    std::stop_source source;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    if (!is_hang_up_ignored()) sigaddset(&signals, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(watch, signals, source).detach();
    return source;
  }();
  return kSource.get_token();
}

}  // namespace arbor::app
