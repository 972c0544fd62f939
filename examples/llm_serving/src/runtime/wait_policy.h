// SPDX-License-Identifier: Apache-2.0

// How a thread waits for another: spin burns the core, yield offers it, block sleeps.
#pragma once

#include <atomic>
#include <thread>

namespace llm {

enum class WaitPolicy { kSpin, kYield, kBlock };

// Returns once the value is no longer `old`. Whoever changes it calls notify_all() afterwards.
inline void wait_for_change(WaitPolicy policy, const std::atomic<int>& value, int old) {
  if (policy == WaitPolicy::kBlock) {
    value.wait(old);
    return;
  }
  while (value.load() == old) {
    if (policy == WaitPolicy::kYield) std::this_thread::yield();
  }
}

}  // namespace llm
