// SPDX-License-Identifier: Apache-2.0

#include "server/request_queue.h"

#include <utility>

namespace llm {

void RequestQueue::push(Request request) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    requests_.push_back(std::move(request));
  }
  announce();
}

void RequestQueue::close() {
  is_closed_ = true;
  announce();
}

void RequestQueue::announce() {
  ++events_;
  events_.notify_all();
}

std::optional<Request> RequestQueue::try_pop() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (requests_.empty()) return std::nullopt;
  Request request = std::move(requests_.front());
  requests_.pop_front();
  return request;
}

std::optional<Request> RequestQueue::pop() {
  while (true) {
    const int seen = events_.load();
    const bool was_closed = is_closed_;
    std::optional<Request> request = try_pop();
    if (request || was_closed) return request;
    wait_for_change(policy_, events_, seen);
  }
}

}  // namespace llm
