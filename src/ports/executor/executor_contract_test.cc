// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/files.h"
#include "ports/executor/fake.h"
#include "ports/executor/local.h"
#include "ports/executor/machine_load.h"
#include "ports/executor/measuring_lock.h"
#include "ports/sandbox/fake.h"

namespace arbor::ports {
namespace {

// Answers with what it was asked to run, so that the two arms cannot be confused unnoticed.
LaunchOutcome echo(const LaunchRequest& request) { return finished(0, request.argv[0]); }

PairJob job_of(bool candidate_first) {
  PairJob job;
  job.trunk.launch.argv = {"trunk"};
  job.candidate.launch.argv = {"candidate"};
  job.candidate_first = candidate_first;
  return job;
}

base::ScratchDir scratch() {
  auto folder = base::ScratchDir::create(std::filesystem::temp_directory_path(), "arbor-executor-");
  EXPECT_TRUE(folder) << folder.error().message;
  return std::move(*folder);
}

// What every executor keeps.
class ExecutorContract : public testing::TestWithParam<bool> {
 protected:
  ExecutorContract() {
    if (GetParam())
      executor_ = make_local_executor(
          sandbox_, LocalOptions{.lock_file = folder_.path() / "lock", .wait_s = 5});
    else
      executor_ = std::make_unique<FakeExecutor>([](const PairJob& job) {
        PairAnswer answer;
        answer.trunk = echo(job.trunk.launch);
        answer.candidate = echo(job.candidate.launch);
        return answer;
      });
  }

  base::ScratchDir folder_ = scratch();
  FakeSandbox sandbox_{echo};
  std::unique_ptr<Executor> executor_;
};

TEST_P(ExecutorContract, GivesEachArmItsOwnOutcomeInEitherOrder) {
  for (const bool candidate_first : {false, true}) {
    const auto answer = executor_->run(job_of(candidate_first), {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->trunk.standard_output, "trunk");
    EXPECT_EQ(answer->candidate.standard_output, "candidate");
  }
}

TEST_P(ExecutorContract, NamesTheHostOfEachAnswer) {
  const auto answer = executor_->run(job_of(false), {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_FALSE(executor_->host().empty());
  EXPECT_EQ(answer->host, executor_->host());
  EXPECT_GE(answer->load_of_others.value_or(0), 0);
}

TEST_P(ExecutorContract, RunsNothingOnceStopped) {
  std::stop_source source;
  source.request_stop();
  const auto answer = executor_->run(job_of(false), source.get_token());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, base::ErrorKind::kCancelled);
  EXPECT_TRUE(sandbox_.requests().empty());
}

TEST_P(ExecutorContract, TellsHowBusyTheMachineIsWithoutLaunchingAnything) {
  const auto load = executor_->load(0.01, {});
  ASSERT_TRUE(load) << load.error().message;
  EXPECT_GE(load->value_or(0), 0);
  EXPECT_TRUE(sandbox_.requests().empty());
}

TEST_P(ExecutorContract, StopsWatchingTheMachineAtOnce) {
  std::stop_source source;
  source.request_stop();
  const auto load = executor_->load(3600, source.get_token());
  ASSERT_FALSE(load);
  EXPECT_EQ(load.error().kind, base::ErrorKind::kCancelled);
}

INSTANTIATE_TEST_SUITE_P(Executors, ExecutorContract, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Local" : "Fake"; });

TEST(LocalExecutor, LaunchesInTheOrderThatTheJobAsksFor) {
  const auto folder = scratch();
  FakeSandbox sandbox(echo);
  const auto executor = make_local_executor(sandbox, {.lock_file = folder.path() / "lock"});
  ASSERT_TRUE(executor->run(job_of(true), {}));
  ASSERT_EQ(sandbox.requests().size(), 2U);
  EXPECT_EQ(sandbox.requests()[0].argv[0], "candidate");
  EXPECT_EQ(sandbox.requests()[1].argv[0], "trunk");
}

TEST(LocalExecutor, CutsASlowArmButNeverLengthensItsLimit) {
  const auto folder = scratch();
  FakeSandbox sandbox(echo);
  const auto executor = make_local_executor(sandbox, {.lock_file = folder.path() / "lock"});
  PairJob job = job_of(false);
  job.trunk.launch.limits.wall_s = job.candidate.launch.limits.wall_s = 10;
  job.trunk.cut_after_s = 20;
  job.candidate.cut_after_s = 3;
  ASSERT_TRUE(executor->run(job, {}));
  EXPECT_EQ(sandbox.requests()[0].limits.wall_s, 10);
  EXPECT_EQ(sandbox.requests()[1].limits.wall_s, 3);
}

TEST(LocalExecutor, PassesOnWhyALaunchFailed) {
  const auto folder = scratch();
  FakeSandbox sandbox([](const LaunchRequest&) -> base::Result<LaunchOutcome> {
    return base::fail(base::ErrorKind::kIo, "disk full");
  });
  const auto executor = make_local_executor(sandbox, {.lock_file = folder.path() / "lock"});
  const auto answer = executor->run(job_of(false), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error(), (base::Error{base::ErrorKind::kIo, "disk full"}));
  EXPECT_EQ(sandbox.requests().size(), 1U);
}

TEST(LocalExecutor, IsBusyWhileAnotherMeasuresAndSaysWho) {
  const auto folder = scratch();
  FakeSandbox sandbox(echo);
  const auto file = folder.path() / "lock";
  const auto executor = make_local_executor(sandbox, {.lock_file = file, .wait_s = 0.05});
  {
    const auto other = MeasuringLock::acquire(file, 1, {});
    ASSERT_TRUE(other) << other.error().message;
    const auto answer = executor->run(job_of(false), {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, base::ErrorKind::kBusy);
    EXPECT_THAT(answer.error().message,
                testing::HasSubstr("process " + std::to_string(::getpid())));
    EXPECT_TRUE(sandbox.requests().empty());
  }
  EXPECT_TRUE(executor->run(job_of(false), {}));
}

TEST(MeasuringLock, LeavesAFileThatEveryUserCanOpen) {
  const auto folder = scratch();
  const auto file = folder.path() / "lock";
  ASSERT_TRUE(MeasuringLock::acquire(file, 1, {}));
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0666));
}

TEST(MeasuringLock, FollowsNoLinkThatAnotherUserLeft) {
  const auto folder = scratch();
  const auto file = folder.path() / "lock";
  std::filesystem::create_symlink(folder.path() / "target", file);
  const auto lock = MeasuringLock::acquire(file, 1, {});
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, base::ErrorKind::kIo);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "target"));
}

TEST(MachineLoad, CountsWorkAndNeitherIdlenessNorWaitingNorGuestsTwice) {
  const auto busy = busy_ns_in("cpu  100 10 20 999 999 1 2 3 50 5\ncpu0 1 1 1 1\n", 100);
  EXPECT_EQ(busy, 1'360'000'000);
}

TEST(MachineLoad, IsUnknownWhenTheTextIsNotWhatItShouldBe) {
  EXPECT_FALSE(busy_ns_in("", 100));
  EXPECT_EQ(memory_stall_ns_in("some avg10=0.00 avg60=1.00 avg300=0.00 total=1007\n"
                               "full avg10=0.00 avg60=0.00 avg300=0.00 total=773\n"),
            1'007'000);
  EXPECT_FALSE(memory_stall_ns_in(""));
  EXPECT_FALSE(memory_stall_ns_in("some avg10=0.00 total=x\n"));
  EXPECT_GT(free_disk_bytes("/").value_or(0), 0U);
  EXPECT_FALSE(free_disk_bytes("/no such folder"));
  EXPECT_FALSE(busy_ns_in("cpu  1 2 3\n", 100));
  EXPECT_FALSE(busy_ns_in("cpu  1 2 x 4 5 6 7 8\n", 100));
}

TEST(MachineLoad, OfOthersIsTheMachinesMinusOurs) {
  EXPECT_DOUBLE_EQ(load_of_others(3'000, 1'000, 1'000), 2.0);
  EXPECT_DOUBLE_EQ(load_of_others(900, 1'000, 1'000), 0.0);
  EXPECT_DOUBLE_EQ(load_of_others(900, 0, 0), 0.0);
}

// In a pair of 20 ms one tick of the machine's clock is half a CPU.
TEST(LoadWatch, SaysNothingBeforeEnoughHasBeenWatched) {
  constexpr std::int64_t kMs = 1'000'000;
  LoadWatch watch;
  for (int pair = 1; pair < 20; ++pair) EXPECT_FALSE(watch.add(10 * kMs, 0, 20 * kMs));
  EXPECT_DOUBLE_EQ(watch.add(10 * kMs, 0, 20 * kMs).value(), 0.5);
  EXPECT_FALSE(watch.add(20 * kMs, 0, 20 * kMs));
  EXPECT_DOUBLE_EQ(watch.add(480 * kMs, 250 * kMs, 480 * kMs).value(), 0.5);
}

}  // namespace
}  // namespace arbor::ports
