// SPDX-License-Identifier: Apache-2.0
#include "measure/two_stage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "base/random.h"
#include "measure/noise.h"
#include "measure/statistics.h"

namespace arbor::measure {
namespace {

std::vector<int> windows_of(std::size_t pairs) {
  std::vector<int> windows;
  for (std::size_t i = 0; i < pairs; ++i) windows.push_back(static_cast<int>(i) / 2);
  return windows;
}

TestEnd first(const std::vector<double>& x, const TestRule& rule) {
  return first_stage(x, windows_of(x.size()), rule);
}

TEST(FirstStage, EndsAfterOnePairOfHeavyLossOnly) {
  const TestRule rule{0, 0.04, 20, 20};
  EXPECT_EQ(first({-0.17}, rule), TestEnd::kSlower);
  const TestRule noisy{0, 0.15, 20, 20};
  EXPECT_EQ(first({-0.17}, noisy), TestEnd::kContinue);
  EXPECT_EQ(first({-0.46}, noisy), TestEnd::kSlower);
}

TEST(FirstStage, KeepsOnlyAtItsLooks) {
  const TestRule rule{0, 0.05, 20, 20};
  std::vector<double> x = {0.30, 0.31, 0.29};
  EXPECT_EQ(first(x, rule), TestEnd::kContinue);
  x.push_back(0.30);
  EXPECT_EQ(first(x, rule), TestEnd::kKeep);
  x.push_back(0.30);
  EXPECT_EQ(first(x, rule), TestEnd::kContinue) << "five pairs are no look";
}

TEST(FirstStage, UsesThePublishedThresholdsWhichAreStudentsOnePercentQuantiles) {
  for (const auto& [pairs, t] : std::vector<std::pair<double, double>>{
           {4, 4.541}, {6, 3.365}, {9, 2.896}, {14, 2.650}, {20, 2.539}})
    EXPECT_NEAR(t_quantile(0.99, pairs - 1), t, 6e-4);
}

TEST(FirstStage, DropsWhatIsOneNoiseWorseWithinAFewPairs) {
  const TestRule rule{0, 0.05, 20, 20};
  EXPECT_EQ(first({-0.05}, rule), TestEnd::kContinue);
  EXPECT_EQ(first({-0.05, -0.05}, rule), TestEnd::kContinue);
  EXPECT_EQ(first({-0.05, -0.05, -0.05}, rule), TestEnd::kSlower);
}

TEST(FirstStage, CallsEqualArmsNotWorthRatherThanSlower) {
  const TestRule rule{0, 0.05, 20, 20};
  std::vector<double> x;
  TestEnd end = TestEnd::kContinue;
  while (end == TestEnd::kContinue && x.size() < 20) {
    x.push_back(x.size() % 2 == 0 ? 0.002 : -0.002);
    end = first(x, rule);
  }
  EXPECT_EQ(end, TestEnd::kNotWorth);
}

TEST(FirstStage, HasALastLookHoweverFewPairsAreAllowed) {
  const TestRule rule{0, 0.05, 20, 7};
  EXPECT_EQ(first({0.3, 0.1, 0.2, 0.3, 0.1, 0.3, 0.2}, rule), TestEnd::kKeep);
}

TEST(Confirm, TakesSixPairsForALargeGainAndFourteenElse) {
  EXPECT_EQ(planned_confirm_pairs(0.31, 0.1), 6);
  EXPECT_EQ(planned_confirm_pairs(0.30, 0.1), 14);
}

TEST(Confirm, MayStopEarlyOnlyToEndTheTrial) {
  const TestRule rule{0, 0.05, 20, 20};
  std::vector<double> good, bad;
  for (int i = 0; i < 5; ++i) {
    good.push_back(0.3 + 0.01 * i);
    EXPECT_EQ(confirm_test(good, windows_of(good.size()), rule, 6), TestEnd::kContinue);
  }
  TestEnd end = TestEnd::kContinue;
  while (end == TestEnd::kContinue && bad.size() < 14) {
    bad.push_back(-0.1);
    end = confirm_test(bad, windows_of(bad.size()), rule, 14);
  }
  EXPECT_EQ(end, TestEnd::kSlower);
  EXPECT_LT(bad.size(), 6U);
}

TEST(Rule, AsksForMoreThanNoiseAndThanOnePercent) {
  EXPECT_DOUBLE_EQ(worthwhile_gain({0, 0.002, 20, 20}), 0.01);
  EXPECT_DOUBLE_EQ(worthwhile_gain({0.005, 0.04, 20, 20}), 0.045);
  EXPECT_NEAR(noise_bound({0, 0.1, 20, 20}), 0.1277, 1e-4);
}

// ---- The whole two-stage test simulated, seeded.

using Noise = std::function<double(base::Random&, int pair)>;

struct Tally {
  int first_keeps = 0, keeps = 0, inconclusive = 0;
  double pairs = 0;
};

TestEnd run_stage(base::Random& random, const Noise& noise, double effect, const TestRule& rule,
                  int planned, int& clock, std::vector<double>& x) {
  std::vector<int> windows;
  while (true) {
    windows.push_back(static_cast<int>(x.size()) / 2);
    x.push_back(effect + noise(random, clock++));
    const TestEnd end =
        planned > 0 ? confirm_test(x, windows, rule, planned) : first_stage(x, windows, rule);
    if (end != TestEnd::kContinue) return end;
  }
}

// Calibration is simulated too: its estimate of the noise is itself noisy.
Tally simulate(double effect, const Noise& noise, int trials = 2000) {
  Tally tally;
  for (int trial = 0; trial < trials; ++trial) {
    auto random = base::Random::stream(11, "trial", static_cast<std::uint64_t>(trial));
    int clock = 0;
    std::vector<double> calibration;
    for (int i = 0; i < 20; ++i) calibration.push_back(noise(random, clock++));
    const TestRule rule{0, standard_deviation(calibration), 20, 20};
    std::vector<double> x, fresh;
    const TestEnd end = run_stage(random, noise, effect, rule, 0, clock, x);
    tally.inconclusive += end == TestEnd::kInconclusive ? 1 : 0;
    if (end == TestEnd::kKeep) {
      ++tally.first_keeps;
      const int planned = planned_confirm_pairs(mean(x), rule.noise);
      tally.keeps +=
          run_stage(random, noise, effect, rule, planned, clock, fresh) == TestEnd::kKeep ? 1 : 0;
    }
    tally.pairs += static_cast<double>(x.size() + fresh.size()) / trials;
  }
  return tally;
}

constexpr double kNoise = 0.06;
double normal_noise(base::Random& random, int) { return kNoise * random.normal(); }
// Student's t with three degrees of freedom, scaled to the same deviation.
double heavy_noise(base::Random& random, int) {
  double squares = 0;
  for (int i = 0; i < 3; ++i) {
    const double z = random.normal();
    squares += z * z;
  }
  return kNoise * random.normal() / std::sqrt(squares / 3) / std::sqrt(3.0);
}
// The machine slows down steadily; a fair coin for the order turns its share into a sign.
double drifting_noise(base::Random& random, int) {
  return kNoise * random.normal() + (random.coin() ? 0.6 : -0.6) * kNoise;
}
// Neighbouring pairs share half their variance.
Noise correlated_noise() {
  auto level = std::make_shared<double>(0);
  return [level](base::Random& random, int pair) {
    if (pair % 2 == 0) *level = random.normal();
    return kNoise * std::sqrt(0.5) * (*level + random.normal());
  };
}

TEST(TwoStages, KeepNothingWhereThereIsNoGain) {
  const Tally tally = simulate(0, normal_noise);
  EXPECT_LE(tally.first_keeps, 100) << "5 % of 2,000";
  EXPECT_LE(tally.keeps, 20) << "1 % of 2,000";
  RecordProperty("first_keeps", tally.first_keeps);
  RecordProperty("keeps", tally.keeps);
  RecordProperty("pairs", std::to_string(tally.pairs));
}

TEST(TwoStages, FindAGainAsLargeAsTheNoise) {
  const Tally tally = simulate(kNoise, normal_noise);
  EXPECT_GE(tally.keeps, 1700) << "85 % of 2,000";
  RecordProperty("keeps", tally.keeps);
  RecordProperty("pairs", std::to_string(tally.pairs));
}

TEST(TwoStages, KeepNothingUnderHeavyTailsDriftOrCorrelatedPairs) {
  EXPECT_LE(simulate(0, heavy_noise).keeps, 20);
  EXPECT_LE(simulate(0, drifting_noise).keeps, 20);
  EXPECT_LE(simulate(0, correlated_noise()).keeps, 40) << "twice the rate of independent pairs";
}

TEST(TwoStages, DropALossQuickly) {
  const Tally tally = simulate(-kNoise, normal_noise, 500);
  EXPECT_EQ(tally.keeps, 0);
  EXPECT_LT(tally.pairs, 5);
}

}  // namespace
}  // namespace arbor::measure
