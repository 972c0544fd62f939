// SPDX-License-Identifier: Apache-2.0
#include "measure/guardrails/guardrail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace arbor::measure {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> reasons(GuardPhase phase, const GuardContext& context) {
  std::vector<std::string> all;
  for (const auto& finding : findings(phase, context)) all.push_back(finding.reason);
  return all;
}

domain::Launch launch(double metric, double wall_s, std::optional<double> guard = std::nullopt) {
  domain::Launch launch;
  launch.metric = metric;
  launch.wall_ns = static_cast<std::int64_t>(wall_s * 1e9);
  launch.guards = {guard};
  return launch;
}

// Eight pairs in four windows with a little scatter.
std::vector<domain::Pair> pairs_of(const domain::Launch& trunk, const domain::Launch& candidate) {
  std::vector<domain::Pair> pairs;
  for (int i = 0; i < 8; ++i) {
    domain::Pair pair;
    pair.index = i + 1;
    pair.window = i / 2;
    pair.trunk = trunk;
    pair.candidate = candidate;
    const double wobble = 1 + 0.004 * ((i * 3) % 8 - 3.5);
    pair.candidate.metric = *pair.candidate.metric * wobble;
    if (pair.candidate.guards[0]) pair.candidate.guards[0] = *pair.candidate.guards[0] * wobble;
    pair.x = std::log(*pair.trunk.metric / *pair.candidate.metric);
    pairs.push_back(pair);
  }
  return pairs;
}

GuardContext after(const std::vector<domain::Pair>& pairs, double gain) {
  GuardContext context;
  context.pairs = pairs;
  context.gain = domain::Interval{gain, gain - 0.02, gain + 0.02};
  context.is_confirm = true;
  return context;
}

domain::Metric printed(std::string name) {
  return {std::move(name), "json", "", "/t", domain::Goal::kMinimise, 0.02};
}

TEST(LoadOfOthers, VoidsThePairOnlyAboveItsLimit) {
  GuardContext context;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty()) << "not known is not busy";
  context.load_of_others = 0.4;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty());
  context.load_of_others = 0.6;
  const auto found = findings(GuardPhase::kDuring, context);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::kVoidPair);
  context.machine_cpus = 64;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty());
}

TEST(DiskSpace, HoldsPairsBackOnAFullDisk) {
  GuardContext context;
  context.disk_free_bytes = 100ULL << 20;
  const auto found = findings(GuardPhase::kBefore, context);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].reason, "disk-space");
  EXPECT_EQ(found[0].kind, FindingKind::kStop) << "no later pair would fare better";
  context.disk_free_bytes = 100ULL << 30;
  EXPECT_THAT(reasons(GuardPhase::kBefore, context), IsEmpty());
}

TEST(MemoryPressure, VoidsThePairOnlyAboveItsLimit) {
  GuardContext context;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty()) << "not known is no pressure";
  context.memory_stall_of_others = 0.02;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty());
  context.memory_stall_of_others = 0.3;
  const auto found = findings(GuardPhase::kDuring, context);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::kVoidPair);
  EXPECT_THAT(found[0].detail, HasSubstr("30 %"));
}

std::vector<domain::Pair> trunk_series(const std::vector<double>& times) {
  std::vector<domain::Pair> pairs;
  for (const double time : times) {
    domain::Pair pair;
    pair.index = static_cast<int>(pairs.size()) + 1;
    pair.trunk.metric = time;
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(TrunkShift, NotesWhereTheTrunkChangedItsSpeed) {
  const auto shifted = trunk_series({1.0, 1.01, 0.99, 1.0, 1.02, 1.5, 1.48, 1.51, 1.5, 1.49});
  GuardContext context;
  context.pairs = shifted;
  const auto found = findings(GuardPhase::kAfter, context);
  const auto note = std::find_if(found.begin(), found.end(),
                                 [](const auto& each) { return each.reason == "trunk-shift"; });
  ASSERT_NE(note, found.end());
  EXPECT_EQ(note->kind, FindingKind::kNote);
  EXPECT_THAT(note->detail, HasSubstr("at pair 6"));
  const auto swinging = trunk_series({1.0, 1.5, 1.01, 1.48, 0.99, 1.5, 1.0, 1.51});
  context.pairs = swinging;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), Not(Contains("trunk-shift")));
}

TEST(TrunkShift, IsSilentOnNoiseAlone) {
  base::Random random(11);
  int noted = 0;
  constexpr int kSeries = 3000;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> times;
    const std::size_t length = 8 + random.below(13);
    while (times.size() < length) times.push_back(std::exp(0.2 * random.normal()));
    const auto pairs = trunk_series(times);
    GuardContext context;
    context.pairs = pairs;
    for (const auto& reason : reasons(GuardPhase::kAfter, context))
      noted += reason == "trunk-shift" ? 1 : 0;
  }
  EXPECT_LE(noted, kSeries / 100);
}

TEST(WorkEquality, RejectsSkippedWork) {
  const std::vector<domain::Metric> guards = {
      {"rows", "json", "", "/rows", domain::Goal::kMaximise, 0}};
  auto pair = pairs_of(launch(1, 1, 1000), launch(0.5, 0.5, 1000))[0];
  GuardContext context;
  context.pair = &pair;
  context.guards = guards;
  pair.candidate.guards[0] = 1000;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty());
  pair.candidate.guards[0] = 900;
  EXPECT_EQ(findings(GuardPhase::kDuring, context)[0].kind, FindingKind::kReject);
  pair.candidate.guards[0].reset();
  EXPECT_THAT(findings(GuardPhase::kDuring, context)[0].detail, HasSubstr("missing"));
}

TEST(WorkEquality, LeavesGuardsWithAToleranceToTheirTest) {
  const std::vector<domain::Metric> guards = {printed("p99_ms")};
  auto pair = pairs_of(launch(1, 1, 10), launch(0.5, 0.5, 11))[0];
  GuardContext context;
  context.pair = &pair;
  context.guards = guards;
  EXPECT_THAT(reasons(GuardPhase::kDuring, context), IsEmpty());
}

TEST(ClockAgreement, RefutesAForgedTime) {
  const auto forged = pairs_of(launch(0.9, 1.0), launch(0.3, 1.0));
  auto context = after(forged, std::log(3.0));
  context.metric = printed("solve_s");
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"clock-disagrees"});
  context.metric = printed("elapsed");  // recognised as seconds by its size
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"clock-disagrees"});
  context.is_inner = true;
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].kind, FindingKind::kNote);
}

TEST(ClockAgreement, BelievesATimeThatTheWholeRunConfirms) {
  const auto honest = pairs_of(launch(900, 1.0), launch(300, 0.4));
  auto context = after(honest, std::log(3.0));
  context.metric = printed("solve_ms");
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
}

TEST(ClockAgreement, DoesNotTakeARateForATime) {
  const auto rates = pairs_of(launch(50, 1.0), launch(90, 1.0));
  auto context = after(rates, std::log(1.8));
  context.metric = printed("tokens_per_s");
  context.metric.goal = domain::Goal::kMaximise;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
}

TEST(TimeClaim, SuspectsATimeLongerThanTheRun) {
  auto pairs = pairs_of(launch(0.9, 1.0), launch(0.8, 0.9));
  pairs[3].candidate.wall_ns = 500'000'000;
  auto context = after(pairs, 0.1);
  context.metric = printed("solve_s");
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), Contains("time-claim"));
  for (auto& pair : pairs) pair.trunk.metric = 1.8;  // a sum over threads is no wall time
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), Not(Contains("time-claim")));
}

TEST(InnerGain, SuspectsAKernelThatGainsWhileTheProgramLoses) {
  const auto pairs = pairs_of(launch(100, 1.0), launch(124, 1.4));
  auto context = after(pairs, std::log(1.24));
  context.metric = printed("gflops");
  context.metric.goal = domain::Goal::kMaximise;
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"inner-gain-only"});
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].kind, FindingKind::kSuspect);
  context.is_inner = true;
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].kind, FindingKind::kNote);
}

TEST(InnerGain, TakesAMeanWithinTheNoiseForNoLoss) {
  auto pairs = pairs_of(launch(100, 1.0), launch(124, 1.0));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i].candidate.wall_ns = i % 2 == 0 ? 1'150'000'000 : 900'000'000;
  auto context = after(pairs, std::log(1.24));
  context.metric = printed("gflops");
  context.metric.goal = domain::Goal::kMaximise;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), Not(Contains("inner-gain-only")));
}

TEST(RateAgreement, RefutesAFasterRateInARunThatIsNotShorter) {
  auto pairs = pairs_of(launch(50, 1.0), launch(90, 1.0));
  for (auto& pair : pairs) pair.x = -*pair.x;  // the goal is to maximise
  auto context = after(pairs, std::log(1.8));
  context.metric = printed("tokens_per_s");
  context.metric.goal = domain::Goal::kMaximise;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty()) << "a driver of the baseline's";
  context.is_own_word = true;
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"rate-disagrees"});
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].kind, FindingKind::kSuspect);
  context.is_inner = true;
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].kind, FindingKind::kNote);
}

TEST(RateAgreement, BelievesARateThatTheWholeRunShows) {
  auto pairs = pairs_of(launch(50, 1.0), launch(90, 0.62));
  for (auto& pair : pairs) pair.x = -*pair.x;
  auto context = after(pairs, std::log(1.8));
  context.metric = printed("tokens_per_s");
  context.metric.goal = domain::Goal::kMaximise;
  context.is_own_word = true;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
}

TEST(RateAgreement, HoldsATimeTooShortToShowInTheRunToItsRatio) {
  const auto claims = [](double claimed, double halved) {
    const auto pairs = pairs_of(launch(claimed, 1.0), launch(halved, 1.0));
    auto context = after(pairs, std::log(2));
    context.metric = printed("latency_us");
    context.is_own_word = true;
    return reasons(GuardPhase::kAfter, context);
  };
  EXPECT_THAT(claims(6, 3), Contains("rate-disagrees"));
  EXPECT_THAT(claims(6e5, 3e5), Not(Contains("rate-disagrees"))) << "clock-agreement's";
}

TEST(LeftRunning, SuspectsACandidateWhoseProcessesOutliveItsCommand) {
  auto pairs = pairs_of(launch(1, 1), launch(0.5, 0.5));
  pairs[0].candidate.is_outlived = true;
  EXPECT_THAT(reasons(GuardPhase::kAfter, after(pairs, 0.6)), IsEmpty()) << "a race lost once";
  for (auto& pair : pairs) pair.candidate.is_outlived = true;
  EXPECT_EQ(reasons(GuardPhase::kAfter, after(pairs, 0.6)),
            std::vector<std::string>{"left-running"});
  pairs[3].trunk.is_outlived = true;
  EXPECT_THAT(reasons(GuardPhase::kAfter, after(pairs, 0.6)), IsEmpty()) << "the program's way";
}

TEST(AmdahlBound, SuspectsMoreThanTheTouchedTimeCanYield) {
  const auto pairs = pairs_of(launch(1, 1), launch(0.6, 0.6));
  auto context = after(pairs, std::log(1 / 0.6));
  context.is_whole_program = false;
  context.touched_share = 0.2;
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"above-amdahl"});
  context.touched_share = 0.5;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
  context.touched_share = 0.2;
  context.is_whole_program = true;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
}

TEST(PredictionBound, SuspectsGainsFarAboveTheirPrediction) {
  const auto pairs = pairs_of(launch(1, 1), launch(0.5, 0.5));
  auto context = after(pairs, std::log(2.0));
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty()) << "nothing was predicted";
  context.upper_speedup = 1.1;
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"above-prediction"});
  context.upper_speedup = 1.4;
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
  context.gain = domain::Interval{std::log(12.0), 2.4, 2.6};
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"too-good"});
}

TEST(GuardMetrics, DemandsThatAGuardIsShownNotToBeWorse) {
  const std::vector<domain::Metric> guards = {
      {"p99_ms", "json", "", "/p99", domain::Goal::kMinimise, 0.05}};
  const auto judge = [&](double guard) {
    const auto pairs = pairs_of(launch(1, 1, 10), launch(0.8, 0.8, guard));
    auto context = after(pairs, 0.22);
    context.guards = guards;
    const auto found = findings(GuardPhase::kAfter, context);
    return found.empty() ? Finding{} : found[0];
  };
  EXPECT_EQ(judge(10).reason, "");
  EXPECT_EQ(judge(12).reason, "guard-worse");
  EXPECT_EQ(judge(12).kind, FindingKind::kRevert);
  EXPECT_EQ(judge(10.48).reason, "guard-unproven");
}

TEST(GuardMetrics, RejectsACandidateThatHidesItsGuard) {
  const std::vector<domain::Metric> guards = {printed("p99_ms")};
  auto pairs = pairs_of(launch(1, 1, 10), launch(0.8, 0.8, 10));
  pairs[2].candidate.guards[0].reset();
  auto context = after(pairs, 0.22);
  context.guards = guards;
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].kind, FindingKind::kReject);
}

TEST(GuardMetrics, TakesAppearingFailuresForWorseAlthoughZeroHasNoLogarithm) {
  const std::vector<domain::Metric> guards = {printed("failures")};
  const auto pairs = pairs_of(launch(1, 1, 0), launch(0.8, 0.8, 3));
  auto context = after(pairs, 0.22);
  context.guards = guards;
  EXPECT_EQ(findings(GuardPhase::kAfter, context)[0].reason, "guard-worse");
}

TEST(Scatter, NotesAnArmThatSwings) {
  auto pairs = pairs_of(launch(1, 1), launch(1, 1));
  auto context = after(pairs, 0);
  EXPECT_THAT(reasons(GuardPhase::kAfter, context), IsEmpty());
  pairs[4].trunk.metric = 1.6;
  EXPECT_EQ(reasons(GuardPhase::kAfter, context), std::vector<std::string>{"scatter"});
}

TEST(Guardrails, CanBeSwitchedOffByName) {
  GuardContext context;
  context.disk_free_bytes = 0;
  const std::vector<std::string> without = {"disk-space"};
  EXPECT_THAT(findings(GuardPhase::kBefore, context, without), IsEmpty());
}

}  // namespace
}  // namespace arbor::measure
