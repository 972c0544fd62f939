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

base::Result<std::optional<double>> FakeExecutor::load(double /*seconds*/, std::stop_token stop) {
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "stopped while watching the load");
  const std::lock_guard lock(mutex_);
  const double load = loads_.front();
  if (loads_.size() > 1) loads_.erase(loads_.begin());
  return load;
}

void FakeExecutor::set_loads(std::vector<double> loads) {
  const std::lock_guard lock(mutex_);
  loads_ = std::move(loads);
}

}  // namespace arbor::ports
