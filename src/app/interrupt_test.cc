// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "app/cli/terminal.h"
#include "app/wiring.h"

namespace arbor::app {
namespace {

// In a process of its own, which ends as a verb would that is asked to stop.
[[noreturn]] void end_after(int signal) {
  const auto stop = interrupted();
  ::kill(::getpid(), signal);
  while (!stop.stop_requested()) std::this_thread::yield();
  Terminal terminal({});
  ::_exit(terminal.fail({base::ErrorKind::kCancelled, "stopped"}));
}

TEST(Interruption, EndsWithTheCodeOfItsSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_after(SIGTERM), testing::ExitedWithCode(143), "stopped");
  EXPECT_EXIT(end_after(SIGINT), testing::ExitedWithCode(130), "stopped");
}

// A terminal that is closed sends SIGHUP; SIGTERM behind it is what ends the process.
[[noreturn]] void end_after_a_hang_up_under_nohup() {
  std::signal(SIGHUP, SIG_IGN);
  const auto stop = interrupted();
  ::kill(::getpid(), SIGHUP);
  ::kill(::getpid(), SIGTERM);
  while (!stop.stop_requested()) std::this_thread::yield();
  ::_exit(exit_code_of_interruption());
}

TEST(Interruption, LeavesAHangUpAloneThatTheUserHadIgnored) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_after_a_hang_up_under_nohup(), testing::ExitedWithCode(143), "");
}

}  // namespace
}  // namespace arbor::app
