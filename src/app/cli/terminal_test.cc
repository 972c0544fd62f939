// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace arbor::app {
namespace {

// Standard error is another file while this lives; null: it is closed.
class StandardErrorAs {
 public:
  explicit StandardErrorAs(const char* path) : kept_(::dup(STDERR_FILENO)) {
    ::close(STDERR_FILENO);
    if (path != nullptr) {
      EXPECT_EQ(::open(path, O_WRONLY), STDERR_FILENO);
    }
  }
  ~StandardErrorAs() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }
  StandardErrorAs(const StandardErrorAs&) = delete;
  StandardErrorAs& operator=(const StandardErrorAs&) = delete;

 private:
  int kept_;
};

void say_everything() {
  Terminal::Setup setup;
  setup.is_interactive = true;
  Terminal terminal(setup);
  terminal.log("a line");
  terminal.status("a step");
  terminal.clear_status();
  EXPECT_EQ(terminal.fail({base::ErrorKind::kUsage, "wrong"}), 2);
}

TEST(Terminal, GoesOnWhenStandardErrorTakesNothing) {
  {
    const StandardErrorAs full("/dev/full");
    EXPECT_NO_THROW(say_everything());
  }
  {
    const StandardErrorAs closed(nullptr);
    EXPECT_NO_THROW(say_everything());
  }
  // What could be written again afterwards is written.
  testing::internal::CaptureStderr();
  Terminal({}).log("still here");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "still here\n");
}

TEST(Terminal, SendsNoControlCharactersOfForeignTextsToATerminal) {
  testing::internal::CaptureStderr();
  Terminal({}).log("program \033[31mred");
  EXPECT_EQ(testing::internal::GetCapturedStderr().find('\033'), std::string::npos);
}

}  // namespace
}  // namespace arbor::app
