// SPDX-License-Identifier: Apache-2.0

// Requests on their way from the reader's thread to the scheduler's.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/wait_policy.h"

namespace llm {

struct Request {
  std::string id;
  std::vector<int> prompt;
  int max_tokens = 0;
};

class RequestQueue {
 public:
  explicit RequestQueue(WaitPolicy policy) : policy_(policy) {}

  void push(Request request);
  void close();

  // The oldest request, or nothing where there is none now.
  std::optional<Request> try_pop();
  // Waits for a request; nothing once the queue is closed and empty.
  std::optional<Request> pop();

 private:
  void announce();

  const WaitPolicy policy_;
  std::mutex mutex_;
  std::deque<Request> requests_;
  std::atomic<bool> is_closed_ = false;
  std::atomic<int> events_ = 0;  // pushes and the close
};

}  // namespace llm
