// SPDX-License-Identifier: Apache-2.0
#include "ports/executor/fake.h"

namespace arbor::ports {

base::Result<PairAnswer> FakeExecutor::run(const PairJob& job, std::stop_token stop) {
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "stopped before the pair");
  const std::lock_guard lock(mutex_);
  jobs_.push_back(job);
  ARBOR_TRY(PairAnswer answer, handler_(job));
  if (answer.host.empty()) answer.host = host_;
  return answer;
}

std::vector<PairJob> FakeExecutor::jobs() const {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

}  // namespace arbor::ports
