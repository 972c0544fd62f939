// SPDX-License-Identifier: Apache-2.0

// The server's options: defaults, then environment, then command line.
#pragma once

#include <string>

#include "runtime/wait_policy.h"

namespace llm {

struct Options {
  std::string model = "data/dense_f32.bin";
  std::string dump_logits;  // empty: no dump
  int batch = 4;
  int prefill_chunk = 16;
  int threads = 1;
  WaitPolicy wait = WaitPolicy::kBlock;
  bool is_help = false;
};

// Throws std::runtime_error naming the option and what it takes.
Options parse_options(int argc, char** argv);

std::string help_text();

// The one line that says what is in force, for the log.
std::string settings_line(const Options& options);

}  // namespace llm
