// SPDX-License-Identifier: Apache-2.0

// The line protocol's two ends in the server: one thread reads requests, the scheduler's writes.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "server/request_queue.h"
#include "tokenizer/tokenizer.h"

namespace llm {

// Collects lines and writes them to stdout when flushed. Safe to use from several threads.
class Replies {
 public:
  void ready();
  void token(const std::string& id, int token, float logprob, std::string_view piece);
  void end(const std::string& id, int prompt_tokens, int generated);
  void error(const std::string& id, std::string_view message);
  void flush();

 private:
  void append(std::string_view line);

  std::mutex mutex_;
  std::string pending_;
};

// Reads stdin to its end, queues each request that fits in max_seq, refuses others, then closes.
void read_requests(const Tokenizer& tokenizer, int max_seq, RequestQueue& queue, Replies& replies);

}  // namespace llm
