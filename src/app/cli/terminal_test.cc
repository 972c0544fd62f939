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

std::string printed(std::string_view text, const Terminal::Setup& setup, bool is_bytes = false) {
  testing::internal::CaptureStdout();
  {
    Terminal terminal(setup);
    is_bytes ? terminal.print_bytes(text) : terminal.print(text);
  }
  return testing::internal::GetCapturedStdout();
}

TEST(Terminal, PrintsColoursButNothingElseThatSteersATerminal) {
  Terminal::Setup plain, colored, screen;
  colored.has_color = screen.is_screen = true;
  const std::string title = "\033]0;title\007", move = "\033[2J", red = "\033[31mred\033[0m ü\n\t";
  EXPECT_EQ(printed(red, colored), red);
  for (const auto& setup : {plain, colored, screen})
    for (const auto& text : {title, move, std::string("\033"), std::string("a\r\033[b")})
      EXPECT_EQ(printed(text, setup).find_first_of("\033\007\r"), std::string::npos);
  EXPECT_EQ(printed(red, plain).find('\033'), std::string::npos);
  EXPECT_EQ(printed(title + "\xff", plain, true), title + "\xff");
  EXPECT_EQ(printed(title, screen, true).find('\033'), std::string::npos);
}

}  // namespace
}  // namespace arbor::app
