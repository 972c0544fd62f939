// SPDX-License-Identifier: Apache-2.0
#include "ports/executor/local.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "ports/clock/system.h"
#include "ports/executor/machine_load.h"
#include "ports/executor/measuring_lock.h"

// Measures pairs on this machine, one arm after the other.
namespace arbor::ports {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

LaunchRequest bounded(const ArmJob& arm) {
  LaunchRequest request = arm.launch;
  if (arm.cut_after_s > 0) request.limits.wall_s = std::min(request.limits.wall_s, arm.cut_after_s);
  return request;
}

std::int64_t cpu_ns(const LaunchOutcome& outcome) { return outcome.user_ns + outcome.system_ns; }

base::Result<void> pause(double seconds, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any woken;
  std::unique_lock lock(mutex);
  woken.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "stopped while watching the machine's load");
  return {};
}

class LocalExecutor final : public Executor {
 public:
  LocalExecutor(Sandbox& sandbox, LocalOptions options)
      : sandbox_(sandbox), options_(std::move(options)), host_(host_name()) {}

  base::Result<PairAnswer> run(const PairJob& job, std::stop_token stop) override {
    ARBOR_TRY(const auto lock, MeasuringLock::acquire(options_.lock_file, options_.wait_s, stop));
    const auto busy_before = machine_busy_ns();
    const std::int64_t own_before = own_cpu_ns();
    const auto stall_before = machine_memory_stall_ns();
    const std::int64_t start_ns = clock_->monotonic_ns();
    const ArmJob& first = job.candidate_first ? job.candidate : job.trunk;
    const ArmJob& second = job.candidate_first ? job.trunk : job.candidate;
    ARBOR_TRY(auto first_outcome, sandbox_.launch(bounded(first), stop));
    ARBOR_TRY(auto second_outcome, sandbox_.launch(bounded(second), stop));
    const std::int64_t wall_ns = clock_->monotonic_ns() - start_ns;
    const auto busy_after = machine_busy_ns();
    const auto stall_after = machine_memory_stall_ns();

    PairAnswer answer;
    answer.host = host_;
    // Where every process of the arms was waited for their time is in ours already.
    const std::int64_t own_ns =
        std::max(own_cpu_ns() - own_before, cpu_ns(first_outcome) + cpu_ns(second_outcome));
    if (busy_before && busy_after)
      answer.load_of_others = watch_.add(*busy_after - *busy_before, own_ns, wall_ns);
    if (stall_before && stall_after && first_outcome.memory_stall_ns &&
        second_outcome.memory_stall_ns)
      answer.memory_stall_of_others =
          load_of_others(*stall_after - *stall_before,
                         *first_outcome.memory_stall_ns + *second_outcome.memory_stall_ns, wall_ns);
    if (job.candidate_first) std::swap(first_outcome, second_outcome);
    answer.trunk = std::move(first_outcome);
    answer.candidate = std::move(second_outcome);
    return answer;
  }

  base::Result<std::optional<double>> load(double seconds, std::stop_token stop) override {
    const auto busy_before = machine_busy_ns();
    const std::int64_t start_ns = clock_->monotonic_ns();
    ARBOR_TRY_VOID(pause(seconds, stop));
    const auto busy_after = machine_busy_ns();
    if (!busy_before || !busy_after) return std::nullopt;
    return load_of_others(*busy_after - *busy_before, 0, clock_->monotonic_ns() - start_ns);
  }

  std::string host() const override { return host_; }

 private:
  Sandbox& sandbox_;
  LocalOptions options_;
  std::string host_;
  LoadWatch watch_;  // under the measuring lock
  std::unique_ptr<Clock> clock_ = make_system_clock();
};

}  // namespace

std::unique_ptr<Executor> make_local_executor(Sandbox& sandbox, LocalOptions options) {
  return std::make_unique<LocalExecutor>(sandbox, std::move(options));
}

std::unique_ptr<Executor> make_local_executor(Sandbox& sandbox) {
  return make_local_executor(sandbox, LocalOptions{.lock_file = measuring_lock_file()});
}

}  // namespace arbor::ports
