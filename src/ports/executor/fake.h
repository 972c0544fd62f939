// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "ports/executor/executor.h"

namespace arbor::ports {

// An executor that runs nothing: a function of the test answers each pair. Remembers the jobs.
class FakeExecutor final : public Executor {
 public:
  using Handler = std::function<base::Result<PairAnswer>(const PairJob&)>;

  explicit FakeExecutor(Handler handler, std::string host = "fake-host")
      : handler_(std::move(handler)), host_(std::move(host)) {}

  base::Result<PairAnswer> run(const PairJob& job, std::stop_token stop) override;
  base::Result<std::optional<double>> load(double seconds, std::stop_token stop) override;
  std::string host() const override { return host_; }

  std::vector<PairJob> jobs() const;
  // What load() answers, one after another; the last one stays. Quiet when never set.
  void set_loads(std::vector<double> loads);

 private:
  Handler handler_;
  std::string host_;
  mutable std::mutex mutex_;
  std::vector<PairJob> jobs_;
  std::vector<double> loads_ = {0};
};

}  // namespace arbor::ports
