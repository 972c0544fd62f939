// SPDX-License-Identifier: Apache-2.0
#include "ports/profiler/fake.h"

#include "base/check.h"

namespace arbor::ports {

FakeProfiler::FakeProfiler(std::deque<base::Result<domain::Profile>> answers)
    : answers_(std::move(answers)) {
  ARBOR_CHECK(!answers_.empty(), "a fake profiler needs an answer");
}

base::Result<domain::Profile> FakeProfiler::profile(const LaunchRequest& launch,
                                                    std::stop_token stop) {
  const std::lock_guard guard(mutex_);
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "profiling was stopped");
  asked_.push_back(launch);
  auto answer = answers_.front();
  if (answers_.size() > 1) answers_.pop_front();
  return answer;
}

std::vector<LaunchRequest> FakeProfiler::asked() const {
  const std::lock_guard guard(mutex_);
  return asked_;
}

}  // namespace arbor::ports
