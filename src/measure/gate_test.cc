// SPDX-License-Identifier: Apache-2.0
#include "measure/gate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"

namespace arbor::measure {
namespace {

using domain::Pair;
using domain::Verdict;
using domain::VerdictKind;
using ::testing::HasSubstr;

domain::Launch launch(double seconds) {
  domain::Launch launch;
  launch.wall_ns = static_cast<std::int64_t>(seconds * 1e9);
  launch.metric = seconds;
  return launch;
}

Pair pair_of_times(double trunk_s, double candidate_s) {
  Pair pair;
  pair.trunk = launch(trunk_s);
  pair.candidate = launch(candidate_s);
  pair.x = std::log(trunk_s / candidate_s);
  return pair;
}

domain::Calibration calibration_of(double s_aa) {
  domain::Calibration calibration;
  calibration.pairs = 20;
  calibration.s_aa = s_aa;
  calibration.launch_ns_median = 1'000'000'000;
  return calibration;
}

// A world in which the gate's steps are carried out: everything succeeds and every pair shows the
// given gain, until a test changes one of the answers.
struct World {
  double gain = 0.3;
  double noise = 0.03;
  base::Random random{7};
  std::function<BuildAnswer(const BuildStep&)> build = [](const BuildStep&) {
    return BuildAnswer{true, false, "", "hash"};
  };
  std::function<ProveAnswer()> prove = [] { return ProveAnswer{true, ""}; };
  std::function<CheckAnswer(const CheckStep&)> check = [](const CheckStep&) {
    return CheckAnswer{true, false, ""};
  };
  std::function<void(const PairStep&, Pair&)> spoil = [](const PairStep&, Pair&) {};
  std::vector<Step> steps;

  Verdict judge(GateOptions options = {}) {
    Gate gate(std::move(options), calibration_of(noise));
    return judge(gate);
  }

  Verdict judge(Gate& gate) {
    while (true) {
      const Step step = gate.next();
      EXPECT_EQ(step.index(), gate.next().index()) << "asking twice gives another step";
      if (const auto* verdict = std::get_if<Verdict>(&step)) return *verdict;
      steps.push_back(step);
      gate.tell(answer(step));
    }
  }

  Answer answer(const Step& step) {
    if (const auto* s = std::get_if<BuildStep>(&step)) return build(*s);
    if (std::holds_alternative<ProveStep>(step)) return prove();
    if (const auto* s = std::get_if<CheckStep>(&step)) return check(*s);
    const auto& asked = std::get<PairStep>(step);
    const double half = noise / std::sqrt(2.0);
    Pair pair =
        pair_of_times(std::exp(half * random.normal()), std::exp(half * random.normal() - gain));
    spoil(asked, pair);
    return pair;
  }

  int count(const std::function<bool(const Step&)>& wanted) const {
    return static_cast<int>(std::count_if(steps.begin(), steps.end(), wanted));
  }
};

bool is_build(const Step& step) { return std::holds_alternative<BuildStep>(step); }
bool is_pair(const Step& step) {
  const auto* pair = std::get_if<PairStep>(&step);
  return pair != nullptr && !pair->is_warm_up;
}

TEST(Gate, KeepsALargeGainAfterAFreshBuildAndFreshPairs) {
  World world;
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kKept);
  EXPECT_EQ(verdict.stage, domain::Stage::kConfirm);
  EXPECT_EQ(world.count(is_build), 2);
  EXPECT_EQ(world.count(is_pair), 4 + 6);
  EXPECT_EQ(verdict.pairs, 10);
  ASSERT_TRUE(verdict.gain);
  EXPECT_NEAR(verdict.gain->estimate, 0.3, 0.06);
  EXPECT_LT(verdict.gain->low, verdict.gain->estimate);
  EXPECT_THAT(verdict.detail, HasSubstr("over 4+6 pairs, noise "));
}

TEST(Gate, AsksForItsStagesCheapestFirst) {
  World world;
  GateOptions options;
  options.check_repeat = 2;
  world.judge(options);
  std::string order;
  for (const auto& step : world.steps) {
    if (std::holds_alternative<BuildStep>(step)) order += 'b';
    if (std::holds_alternative<ProveStep>(step)) order += 'a';
    if (std::holds_alternative<CheckStep>(step)) order += 'c';
    if (const auto* pair = std::get_if<PairStep>(&step)) order += pair->is_warm_up ? 'w' : 'p';
  }
  EXPECT_EQ(order, "baccwppppbcwpppppp");
}

TEST(Gate, BuildsNothingForAChangeThatDoesNotReachTheBuild) {
  World world;
  GateOptions options;
  options.changes_build = false;
  EXPECT_EQ(world.judge(options).kind, VerdictKind::kKept);
  EXPECT_EQ(world.count(is_build), 0);
}

TEST(Gate, DropsAHeavyLossAfterTheFirstPair) {
  World world;
  world.gain = -0.4;
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kReverted);
  EXPECT_EQ(verdict.reason, "slower");
  EXPECT_EQ(verdict.pairs, 1);
}

TEST(Gate, RejectsWhatItsBuilderCouldNotApply) {
  World world;
  world.build = [](const BuildStep&) { return BuildAnswer{false, false, "no profile", "", true}; };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.reason, "not-applied");
  EXPECT_EQ(verdict.detail, "no profile");
}

TEST(Gate, EndsWithACrashWhereABuildFails) {
  World world;
  world.build = [](const BuildStep&) { return BuildAnswer{false, false, "no such header", ""}; };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kCrashed);
  EXPECT_EQ(verdict.reason, "build-failed");
  EXPECT_THAT(verdict.detail, HasSubstr("no such header"));
  EXPECT_FALSE(verdict.gain);
}

TEST(Gate, QuotesTheErrorsOfALongBuildLogAndNotItsBeginning) {
  World world;
  std::string log;
  for (int i = 0; i < 200; ++i) log += fmt::format("cc -O2 -c part{}.c\n", i);
  log += "part.c:21:9: fatal error: omp.h: No such file or directory\n" + log;
  world.build = [&](const BuildStep&) { return BuildAnswer{false, false, log, ""}; };
  const auto verdict = world.judge();
  EXPECT_THAT(verdict.detail, HasSubstr("omp.h: No such file"));
  EXPECT_LT(verdict.detail.size(), 700U);
}

TEST(Gate, EndsWithACrashWhereOnlyTheFreshBuildFails) {
  World world;
  world.build = [](const BuildStep& step) {
    return BuildAnswer{!step.is_fresh, step.is_fresh, "", "hash"};
  };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kCrashed);
  EXPECT_EQ(verdict.reason, "timeout");
}

TEST(Gate, RejectsAChangeThatWasNotApplied) {
  World world;
  world.prove = [] { return ProveAnswer{false, "same artefacts as the trunk"}; };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.reason, "not-applied");
  EXPECT_EQ(world.count(is_pair), 0);
}

TEST(Gate, RejectsWrongOutputBeforeMeasuringAnything) {
  World world;
  world.check = [](const CheckStep&) { return CheckAnswer{false, false, "out.txt differs"}; };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.reason, "wrong-output");
  EXPECT_EQ(world.count(is_pair), 0);
}

TEST(Gate, RejectsACandidateThatCannotBeLaunchedForTheReasonGiven) {
  World world;
  world.check = [](const CheckStep&) {
    return CheckAnswer{false, false, "a link where golden.txt belongs", "tampered-harness"};
  };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.reason, "tampered-harness");
  EXPECT_EQ(world.count(is_pair), 0);
}

TEST(Gate, RejectsOutputThatIsWrongOnTheConfirmStagesOwnSeed) {
  World world;
  std::vector<std::uint64_t> seeds;
  world.check = [&](const CheckStep& step) {
    seeds.push_back(step.seed);
    return CheckAnswer{!step.is_confirm, false, ""};
  };
  EXPECT_EQ(world.judge().reason, "wrong-output");
  ASSERT_EQ(seeds.size(), 2U);
  EXPECT_NE(seeds[0], seeds[1]);
}

TEST(Gate, CallsACandidateThatDiesInAPairCrashed) {
  World world;
  world.spoil = [](const PairStep& step, Pair& pair) {
    if (!step.is_confirm || step.index < 3) return;
    pair.candidate.exit_code = 139;
    pair.candidate.metric.reset();
    pair.x.reset();
  };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kCrashed);
  EXPECT_EQ(verdict.stage, domain::Stage::kConfirm);
  EXPECT_EQ(verdict.reason, "run-crashed");
  EXPECT_THAT(verdict.detail, HasSubstr("signal 11"));
}

TEST(Gate, AcceptsAProgramThatExitsWithOneByHabit) {
  World world;
  world.spoil = [](const PairStep&, Pair& pair) {
    pair.trunk.exit_code = 1;
    pair.candidate.exit_code = 1;
  };
  EXPECT_EQ(world.judge().kind, VerdictKind::kKept);
}

TEST(Gate, CountsACutCandidateAsSlower) {
  World world;
  world.spoil = [](const PairStep&, Pair& pair) {
    pair.candidate.is_cut = true;
    pair.candidate.exit_code = 137;
    pair.candidate.metric.reset();
    pair.x.reset();
  };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kReverted);
  EXPECT_EQ(verdict.reason, "slower");
}

TEST(Gate, RejectsACandidateWithoutItsMetric) {
  World world;
  world.spoil = [](const PairStep&, Pair& pair) {
    pair.candidate.metric.reset();
    pair.candidate.failure = "metric tokens_per_s: nothing at /tokens_per_s";
    pair.x.reset();
  };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.reason, "no-metric");
  EXPECT_THAT(verdict.detail, HasSubstr("/tokens_per_s"));
}

TEST(Gate, RepeatsAVoidPairUnderAFreshIndex) {
  World world;
  world.spoil = [](const PairStep& step, Pair& pair) {
    if (!step.is_confirm && step.index == 2) pair.void_reason = "others kept 1.2 CPUs busy";
  };
  Gate gate({}, calibration_of(0.03));
  const auto verdict = world.judge(gate);
  EXPECT_EQ(verdict.kind, VerdictKind::kKept);
  ASSERT_EQ(gate.pairs().size(), 5U);
  EXPECT_EQ(gate.pairs()[1].index, 2);
  EXPECT_EQ(gate.pairs()[4].index, 5);
  EXPECT_THAT(verdict.detail, HasSubstr("over 4+6 pairs"));
}

TEST(Gate, GivesUpOnAMachineThatVoidsPairAfterPair) {
  World world;
  world.spoil = [](const PairStep&, Pair& pair) { pair.void_reason = "others were busy"; };
  const auto verdict = world.judge();
  EXPECT_EQ(verdict.kind, VerdictKind::kInconclusive);
  EXPECT_EQ(verdict.reason, "machine-unfit");
}

TEST(Gate, NeverBlamesTheCandidateForATrunkWithoutMetric) {
  World world;
  world.spoil = [](const PairStep&, Pair& pair) {
    for (auto* arm : {&pair.trunk, &pair.candidate}) {
      arm->metric.reset();
      arm->exit_code = 134;
    }
    pair.x.reset();
  };
  EXPECT_EQ(world.judge().reason, "machine-unfit");
}

TEST(Gate, SpreadsThePairsOfAStageOverThreeWindowsAndNumbersThemThroughTheTrial) {
  World world;
  Gate gate({}, calibration_of(0.03));
  world.judge(gate);
  EXPECT_EQ(gate.pairs().back().window, 1);
  std::vector<int> windows;
  for (const auto& pair : gate.confirm_pairs()) windows.push_back(pair.window);
  EXPECT_EQ(windows, (std::vector{2, 2, 3, 3, 4, 4}));
}

TEST(Gate, TossesAFairCoinForTheOrderInEachPair) {
  int first = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    GateOptions options;
    options.seed = seed;
    options.changes_build = false;
    Gate gate(options, calibration_of(0.03));
    gate.tell(ProveAnswer{true, ""});
    gate.tell(CheckAnswer{true, false, ""});
    gate.tell(pair_of_times(1, 1));
    first += std::get<PairStep>(gate.next()).candidate_first ? 1 : 0;
  }
  EXPECT_GT(first, 140);
  EXPECT_LT(first, 260);
}

TEST(Gate, CutsACandidateAtThreeTimesTheTrunksMedianButNeverForJitter) {
  World world;
  world.judge();
  const auto& step = std::get<PairStep>(world.steps[3]);
  EXPECT_DOUBLE_EQ(step.cut_after_s, 3.0);
  auto calibration = calibration_of(0.03);
  calibration.launch_ns_median = 10'000'000;
  Gate gate({}, calibration);
  gate.tell(BuildAnswer{true, false, "", "h"});
  gate.tell(ProveAnswer{true, ""});
  gate.tell(CheckAnswer{true, false, ""});
  EXPECT_DOUBLE_EQ(std::get<PairStep>(gate.next()).cut_after_s, 0.51);
}

TEST(Gate, GoesTheSameWayWhenToldTheSameAnswers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World first, second;
    first.random = second.random = base::Random(seed);
    first.gain = second.gain = 0.004 * static_cast<double>(seed);
    GateOptions options;
    options.seed = seed;
    EXPECT_EQ(first.judge(options), second.judge(options));
    ASSERT_EQ(first.steps.size(), second.steps.size());
    for (std::size_t i = 0; i < first.steps.size(); ++i) {
      const auto* one = std::get_if<PairStep>(&first.steps[i]);
      const auto* two = std::get_if<PairStep>(&second.steps[i]);
      ASSERT_EQ(one == nullptr, two == nullptr);
      if (one == nullptr) continue;
      EXPECT_EQ(one->candidate_first, two->candidate_first);
      EXPECT_EQ(one->seed, two->seed);
      EXPECT_EQ(one->window, two->window);
    }
  }
}

TEST(GateDeathTest, AbortsWhenToldAnAnswerToAnotherStep) {
  Gate gate({}, calibration_of(0.03));
  EXPECT_DEATH(gate.tell(ProveAnswer{true, ""}), "another step");
}

}  // namespace
}  // namespace arbor::measure
