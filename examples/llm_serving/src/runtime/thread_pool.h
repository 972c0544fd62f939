// SPDX-License-Identifier: Apache-2.0

// A fixed set of threads that share out loops. The caller's thread is one of them.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "runtime/wait_policy.h"

namespace llm {

class ThreadPool {
 public:
  ThreadPool(int threads, WaitPolicy policy);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Calls body(begin, end) for equal parts of [0, count), one a thread; returns when all are done.
  // One caller at a time, and not from inside a body.
  void parallel_for(int count, const std::function<void(int, int)>& body);

 private:
  void work(int index);
  void run_part(int index);

  const int threads_;
  const WaitPolicy policy_;
  int count_ = 0;                                        // count_ and body_ change only while
  const std::function<void(int, int)>* body_ = nullptr;  // running_ is 0; null stops the workers
  std::atomic<int> round_ = 0;
  std::atomic<int> running_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace llm
