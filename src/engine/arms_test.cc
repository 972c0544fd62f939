// SPDX-License-Identifier: Apache-2.0
#include "engine/arms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/subprocess.h"
#include "engine/reference.h"
#include "ports/clock/fake.h"
#include "ports/executor/fake.h"
#include "ports/profiler/fake.h"
#include "ports/sandbox/fake.h"

namespace arbor::engine {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A session over a real repository whose launches are answered by the test.
class Arms : public testing::Test {
 protected:
  void SetUp() override {
    manifest_.build.command = "true";
    manifest_.check.command = "./check --seed={seed}";
    manifest_.check.harness = {"check"};
    manifest_.check.score = domain::ScoreRule{{.name = "score",
                                               .reader = "regex",
                                               .file = "",
                                               .pattern = "score ([0-9.]+)",
                                               .goal = domain::Goal::kMaximise},
                                              {},
                                              0.1};
    manifest_.bench.command = "./bench";
    ASSERT_TRUE(base::write_file(root() / "check", "#!/bin/sh\n"));
    for (const std::vector<std::string>& argv : std::vector<std::vector<std::string>>{
             {"git", "init", "-q"},
             {"git", "add", "-A"},
             {"git", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "one"}})
      ASSERT_TRUE(base::run_tool_ok(
          {.argv = argv, .cwd = root(), .environment = {}, .standard_input = {}}));
    auto repository = workspace::Repository::open(root(), root() / ".arbor");
    ASSERT_TRUE(repository) << repository.error().message;
    repository_.emplace(std::move(*repository));
    builder_.emplace(workspace::Builder::Setup{manifest_, root() / ".arbor", {}, {}}, *repository_,
                     sandbox_);
    store_ = *ports::open_store("", ports::StoreMode::kCreate, "memory");
    services_.emplace(Services{manifest_,
                               *repository_,
                               *builder_,
                               sandbox_,
                               executor_,
                               profiler_,
                               clock_,
                               *store_,
                               nullptr,
                               {},
                               {},
                               {},
                               {},
                               {}});
    session_.emplace(*services_, CampaignState{}, std::stop_token{});
    session_->baseline = tree("baseline");
    session_->trunk = session_->baseline;
    candidate_ = tree("candidate");
    BaselineReady ready;
    ready.score = 0.9;
    ASSERT_TRUE(session_->commit(CampaignStarted{}));
    ASSERT_TRUE(session_->commit(ready));
  }

  fs::path root() const { return scratch_.path() / "program"; }

  workspace::BuiltTree tree(const std::string& name) {
    workspace::BuiltTree made;
    made.folder = scratch_.path() / name;
    EXPECT_TRUE(base::write_file(made.folder / "check", "#!/bin/sh\n"));
    return made;
  }

  // The score that the check prints, by the arm and its command.
  ports::FakeSandbox::Handler scores(double baseline_by_default) {
    return [this, baseline_by_default](const ports::LaunchRequest& request) {
      const bool is_baseline = request.view.tree == session_->baseline.folder;
      checked_ = request.environment;
      launched_.push_back((is_baseline ? "baseline " : "candidate ") + request.argv.back());
      const double score = is_baseline ? baseline_by_default : candidate_score_;
      return base::Result<ports::LaunchOutcome>(
          ports::finished(0, "score " + std::to_string(score) + "\n"));
    };
  }

  measure::CheckAnswer check(std::uint64_t seed) {
    const auto answer = check_state(*session_, {&candidate_, {}}, {1, seed, false});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : measure::CheckAnswer{};
  }

  base::ScratchDir scratch_ = *base::ScratchDir::create(fs::temp_directory_path(), "arbor-arms-");
  domain::Manifest manifest_;
  std::vector<std::string> launched_;
  std::map<std::string, std::string> checked_, benched_;  // the environment of the latest
  double candidate_score_ = 0.5;
  double baseline_score_ = 0.5;
  ports::FakeSandbox sandbox_{
      [this](const ports::LaunchRequest& request) { return scores(baseline_score_)(request); }};
  ports::FakeExecutor executor_{[this](const ports::PairJob& job) {
    benched_ = job.candidate.launch.environment;
    return base::Result<ports::PairAnswer>(ports::PairAnswer{});
  }};
  ports::FakeProfiler profiler_{{domain::Profile{}}};
  ports::FakeClock clock_;
  std::optional<workspace::Repository> repository_;
  std::optional<workspace::Builder> builder_;
  std::unique_ptr<ports::Store> store_;
  std::optional<Services> services_;
  std::optional<Session> session_;
  workspace::BuiltTree candidate_;
};

TEST_F(Arms, NothingButTheCommandTellsACheckFromABench) {
  ASSERT_TRUE(launch_check(*session_, {&candidate_, {}}, 7));
  measure::PairStep step;
  step.seed = 7;
  ASSERT_TRUE(measure_pair(*session_, {&session_->trunk, {}}, {&candidate_, {}}, step));
  EXPECT_FALSE(checked_.at("ARBOR_PADDING").empty());
  EXPECT_EQ(checked_, benched_);
}

TEST_F(Arms, AScoreIsComparedWithTheBaselinesOnTheSameSeed) {
  // On these inputs everybody scores half of what the golden seed gave.
  EXPECT_TRUE(check(7).is_passed);
  EXPECT_TRUE(check(7).is_passed);
  EXPECT_THAT(launched_, ElementsAre("baseline ./check --seed=7", "candidate ./check --seed=7",
                                     "candidate ./check --seed=7"))
      << "the baseline is scored once for each seed";
  candidate_score_ = 0.3;
  const auto answer = check(8);
  EXPECT_FALSE(answer.is_passed);
  EXPECT_THAT(answer.detail, HasSubstr("0.5"));
}

TEST_F(Arms, OutputsAreComparedWithTheBaselinesOnTheSameSeed) {
  manifest_.check.score.reset();
  manifest_.check.outputs = {{"-", 0, 0.05}};
  EXPECT_TRUE(check(7).is_passed);
  EXPECT_THAT(launched_, ElementsAre("baseline ./check --seed=7", "candidate ./check --seed=7"));
  candidate_score_ = 0.6;
  EXPECT_FALSE(check(8).is_passed);
  for (std::uint64_t seed = 10; seed < 20; ++seed) check(seed);
  EXPECT_LE(session_->seeded_references.size(), 4U) << "outputs may be large";
}

TEST_F(Arms, ASeedOnWhichTheBaselineFailsIsReplacedByAnother) {
  manifest_.check.score->floor = 0.4;
  baseline_score_ = 0.1;
  const auto answer = check_state(*session_, {&candidate_, {}}, {1, 7, false});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("3 seeds"));
  EXPECT_EQ(launched_.size(), 3U);
  EXPECT_NE(launched_[0], launched_[1]);
}

TEST_F(Arms, WithoutASeedTheBaselineIsNotScoredAgain) {
  manifest_.check.command = "./check";
  candidate_score_ = 0.85;
  EXPECT_TRUE(check(7).is_passed);
  EXPECT_THAT(launched_, ElementsAre("candidate ./check"));
}

TEST_F(Arms, ACandidateThatHangsDoesNotTakeAllOfTheChecksTime) {
  manifest_.check.timeout_s = 600;
  check(7);
  ASSERT_FALSE(sandbox_.requests().empty());
  EXPECT_EQ(sandbox_.requests().back().limits.wall_s, 30);
}

TEST_F(Arms, ATamperedHarnessIsTheCandidatesOwnVerdict) {
  fs::remove(candidate_.folder / "check");
  fs::create_symlink("/bin/true", candidate_.folder / "check");
  const auto answer = check(7);
  EXPECT_FALSE(answer.is_passed);
  EXPECT_EQ(answer.reason, "tampered-harness");
  EXPECT_THAT(launched_, testing::IsEmpty());
}

TEST_F(Arms, NoPairBeginsOnADiskThatIsNearlyFull) {
  const ArmState arm{&session_->trunk, {}};
  ASSERT_TRUE(measure_pair(*session_, arm, arm, {}));
  session_->baseline.folder = "/proc";  // a file system without free space
  const auto pair = measure_pair(*session_, arm, arm, {});
  ASSERT_FALSE(pair);
  EXPECT_EQ(pair.error().kind, base::ErrorKind::kIo);
  EXPECT_THAT(pair.error().message, HasSubstr("nearly full"));
  EXPECT_EQ(executor_.jobs().size(), 1U);
}

TEST_F(Arms, AGoldenOutputThatCannotBeReadEndsTheCampaignAndTellsTheWayOut) {
  BaselineReady ready;
  ready.golden["found.txt"] = std::string(32, '0');
  ASSERT_TRUE(session_->commit(ready));
  const auto answer = stored_reference(*session_);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, base::ErrorKind::kCorrupt);
  for (const char* part : {"found.txt", "the campaign cannot go on", "arbor run --fresh"})
    EXPECT_NE(answer.error().message.find(part), std::string::npos) << answer.error().message;
}

}  // namespace
}  // namespace arbor::engine
