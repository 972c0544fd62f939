// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/cli/parse.h"
#include "app/cli/terminal.h"

namespace {

using arbor::app::Arguments;

bool wants_color(const Arguments& arguments) {
  const std::string when = arguments.value("--color").value_or("auto");
  if (when == "always") return true;
  if (when == "never") return false;
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

int terminal_width() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

// The three standard streams stay what they are: a file opened later must not get the number of one
// that was closed, and be written as if it were it. A closed standard output still refuses.
void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// Data that did not arrive is a failure; a reader that has seen enough (a pipe that was closed) is
// none.
int checked_output(int code) {
  const bool is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  struct stat status{};
  const bool is_pipe = ::fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
  if (!is_lost || is_pipe) return code;
  std::fputs("arbor: standard output could not be written; is its disk full?\n", stderr);
  return arbor::app::kExitFailure;
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  const auto parsed = arbor::app::parse_line(argc, argv, arbor::app::all_verbs());
  if (const auto* notice = std::get_if<arbor::app::ParsedNotice>(&parsed)) {
    std::fputs(notice->text.c_str(), notice->exit_code == 0 ? stdout : stderr);
    return checked_output(notice->exit_code);
  }
  const auto& line = std::get<arbor::app::ParsedLine>(parsed);
  arbor::app::Terminal::Setup setup;
  setup.is_json = line.arguments.has("--json");
  setup.is_quiet = line.arguments.has("--quiet");
  setup.has_color = wants_color(line.arguments);
  setup.is_interactive = ::isatty(STDERR_FILENO) == 1;
  setup.is_screen = ::isatty(STDOUT_FILENO) == 1;
  setup.may_ask = !line.arguments.has("--no-input") && ::isatty(STDIN_FILENO) == 1;
  setup.width = terminal_width();
  arbor::app::Terminal terminal(setup);
  return checked_output(line.verb->run(line.arguments, terminal));
}
