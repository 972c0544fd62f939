// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "base/text.h"

namespace arbor::app {
int exit_code_of(base::ErrorKind kind) {
  switch (kind) {
    case base::ErrorKind::kUsage:
    case base::ErrorKind::kNotFound:
      return kExitUsage;
    case base::ErrorKind::kUnsupported:
      return kExitEnvironment;
    case base::ErrorKind::kCancelled:
      return exit_code_of_interruption();
    case base::ErrorKind::kTimeout:
    case base::ErrorKind::kIo:
    case base::ErrorKind::kBusy:
    case base::ErrorKind::kCorrupt:
    case base::ErrorKind::kInternal:
      return kExitFailure;
  }
  return kExitFailure;
}

namespace {

// Where the escape sequence that sets a colour ends which begins here; 0 where none does.
std::size_t color_length(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string printable_but_colors(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t color = color_length(text);
    const std::size_t length = color > 0 ? color : std::min(text.find('\033', 1), text.size());
    safe +=
        color > 0 ? std::string(text.substr(0, length)) : base::printable(text.substr(0, length));
    text.remove_prefix(length);
  }
  return safe;
}

// What standard error does not take (its disk is full, its reader has gone, it is closed) is lost:
// a campaign goes on without a log. Neither throws nor fails.
void say_aside(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  std::clearerr(stderr);
}

}  // namespace

void Terminal::write(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  erase_status();
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

void Terminal::print(std::string_view text) {
  write(setup_.has_color ? printable_but_colors(text) : base::printable(text));
}

void Terminal::print_bytes(std::string_view bytes) {
  if (setup_.is_screen)
    print(bytes);
  else
    write(bytes);
}

void Terminal::print_json(const base::Json& document) {
  write(base::dump_json(document, 2) + "\n");
}

void Terminal::log(std::string_view line) {
  if (setup_.is_quiet) return;
  const std::lock_guard lock(mutex_);
  erase_status();
  say_aside(base::printable(line) + "\n");
}

void Terminal::status(std::string_view line) {
  if (setup_.is_quiet || !setup_.is_interactive) return;
  const std::lock_guard lock(mutex_);
  // A line as wide as the terminal would wrap.
  const auto room = static_cast<std::size_t>(std::max(setup_.width - 1, 0));
  say_aside("\r\033[K" + base::first_columns(base::printable(line), room));
  has_status_ = true;
}

void Terminal::clear_status() {
  const std::lock_guard lock(mutex_);
  erase_status();
}

void Terminal::erase_status() {
  if (!has_status_) return;
  say_aside("\r\033[K");
  has_status_ = false;
}

int Terminal::fail(const base::Error& error) {
  clear_status();
  const std::string message = base::printable(error.message);
  if (is_json())
    print_json({{"schema", "arbor.error/1"},
                {"kind", base::error_kind_name(error.kind)},
                {"message", message}});
  say_aside(fmt::format("arbor: {}\n", message));
  return exit_code_of(error.kind);
}

std::string Terminal::painted(std::string_view text, std::string_view code) const {
  return setup_.has_color ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}
std::string Terminal::bold(std::string_view text) const { return painted(text, "1"); }
std::string Terminal::green(std::string_view text) const { return painted(text, "32"); }
std::string Terminal::red(std::string_view text) const { return painted(text, "31"); }
std::string Terminal::dim(std::string_view text) const { return painted(text, "2"); }

}  // namespace arbor::app
