// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace arbor::app {

// What scripts are told about an error of this kind.
int exit_code_of(base::ErrorKind kind);

// Of a process that a signal asked to stop: 130 after Ctrl-C, 143 after SIGTERM.
int exit_code_of_interruption();

// Where a verb's words go: data on standard output, progress on standard error. On a terminal the
// last progress line is redrawn in place; in a pipe each one is a line. Thread-safe. A stream that
// takes nothing any more never ends a verb: what was said on standard error is lost, and whether
// standard output took everything is asked at the end of the program.
class Terminal {
 public:
  struct Setup {
    bool is_json = false;
    bool is_quiet = false;
    bool has_color = false;       // of standard output
    bool is_interactive = false;  // standard error is a terminal
    bool is_screen = false;       // standard output is a terminal
    bool may_ask = true;
    int width = 80;
  };
  explicit Terminal(Setup setup) : setup_(setup) {}
  ~Terminal() { clear_status(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const Setup& setup() const { return setup_; }
  bool is_json() const { return setup_.is_json; }

  // Standard output; of control characters only our own colours get through.
  void print(std::string_view text);
  // As it is, for what is data to another program; on a terminal like print.
  void print_bytes(std::string_view bytes);
  void print_json(const base::Json& document);
  void log(std::string_view line);     // standard error, stays
  void status(std::string_view line);  // standard error, replaced by the next one
  void clear_status();
  // Prints "arbor: message" and, with --json, an error document. Returns the exit code of its kind.
  int fail(const base::Error& error);

  std::string bold(std::string_view text) const;
  std::string green(std::string_view text) const;
  std::string red(std::string_view text) const;
  std::string dim(std::string_view text) const;

 private:
  std::string painted(std::string_view text, std::string_view code) const;
  void write(std::string_view bytes);
  void erase_status();
  Setup setup_;
  std::mutex mutex_;  // of the two streams and of what stands on the line
  bool has_status_ = false;
};

}  // namespace arbor::app
