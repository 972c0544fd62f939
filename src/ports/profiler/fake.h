// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <mutex>

#include "ports/profiler/profiler.h"

namespace arbor::ports {

// Answers with the profiles it was given, in order, the last one for ever; keeps what it was asked.
class FakeProfiler final : public Profiler {
 public:
  explicit FakeProfiler(std::deque<base::Result<domain::Profile>> answers);
  base::Result<domain::Profile> profile(const LaunchRequest& launch, std::stop_token stop) override;
  std::vector<LaunchRequest> asked() const;

 private:
  mutable std::mutex mutex_;
  std::deque<base::Result<domain::Profile>> answers_;
  std::vector<LaunchRequest> asked_;
};

}  // namespace arbor::ports
