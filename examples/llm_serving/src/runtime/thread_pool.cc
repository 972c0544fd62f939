// SPDX-License-Identifier: Apache-2.0

#include "runtime/thread_pool.h"

#include <cstdint>

namespace llm {

ThreadPool::ThreadPool(int threads, WaitPolicy policy) : threads_(threads), policy_(policy) {
  for (int i = 1; i < threads_; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  body_ = nullptr;
  ++round_;
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(int count, const std::function<void(int, int)>& body) {
  if (threads_ == 1) {
    body(0, count);
    return;
  }
  count_ = count;
  body_ = &body;
  running_ = threads_ - 1;
  ++round_;
  round_.notify_all();
  run_part(0);
  while (const int left = running_.load()) wait_for_change(policy_, running_, left);
}

void ThreadPool::run_part(int index) {
  const auto bound = [this](int i) {
    return static_cast<int>(static_cast<int64_t>(count_) * i / threads_);
  };
  if (bound(index) < bound(index + 1)) (*body_)(bound(index), bound(index + 1));
}

void ThreadPool::work(int index) {
  for (int seen = 0;; ++seen) {
    wait_for_change(policy_, round_, seen);
    if (body_ == nullptr) return;
    run_part(index);
    if (--running_ == 0) running_.notify_all();
  }
}

}  // namespace llm
