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

}  // namespace
}  // namespace arbor::app
