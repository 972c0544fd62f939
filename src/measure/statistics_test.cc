// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "measure/noise.h"
#include "measure/verdict_text.h"

namespace arbor::measure {
namespace {

TEST(Statistics, AgreeWithFiguresWorkedByHand) {
  const std::vector<double> values = {1, 2, 3, 6};
  EXPECT_DOUBLE_EQ(mean(values), 3);
  EXPECT_NEAR(standard_deviation(values), std::sqrt(14.0 / 3), 1e-12);
  EXPECT_DOUBLE_EQ(median({6, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median({6, 1, 3}), 3);
  EXPECT_NEAR(t_quantile(0.975, 9), 2.2622, 1e-4);
  EXPECT_NEAR(normal_quantile(0.975), 1.95996, 1e-5);
  EXPECT_NEAR(deviation_upper_factor(20), 1.277, 5e-4);
  EXPECT_NEAR(deviation_lower_factor(20), 0.8357, 5e-4);
}

TEST(Autocorrelation, TellsDriftFromAlternation) {
  EXPECT_GT(lag1_autocorrelation(std::vector<double>{1, 2, 3, 4, 5, 6}), 0.4);
  EXPECT_LT(lag1_autocorrelation(std::vector<double>{1, -1, 1, -1, 1, -1}), -0.7);
  EXPECT_EQ(lag1_autocorrelation(std::vector<double>{1, 1, 1}), 0);
}

TEST(Interval, WidensWhereWindowsDisagree) {
  const std::vector<double> values = {0.10, 0.11, 0.30, 0.31, 0.20, 0.21};
  const std::vector<int> apart = {0, 0, 1, 1, 2, 2}, together(6, 0);
  const auto clustered = interval_of_mean(values, apart);
  const auto pooled = interval_of_mean(values, together);
  EXPECT_DOUBLE_EQ(clustered.estimate, pooled.estimate);
  EXPECT_GT(clustered.high - clustered.low, 2 * (pooled.high - pooled.low));
}

TEST(Interval, CoversTheTruthAboutAsOftenAsItSays) {
  int covered_alone = 0, covered_shared = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    auto random = base::Random::stream(5, "interval", static_cast<std::uint64_t>(trial));
    std::vector<double> alone, shared;
    std::vector<int> windows;
    for (int window = 0; window < 7; ++window) {
      const double level = random.normal();
      for (int i = 0; i < 2; ++i) {
        alone.push_back(random.normal());
        shared.push_back(level + random.normal());
        windows.push_back(window);
      }
    }
    const auto one = interval_of_mean(alone, windows), two = interval_of_mean(shared, windows);
    covered_alone += one.low <= 0 && 0 <= one.high ? 1 : 0;
    covered_shared += two.low <= 0 && 0 <= two.high ? 1 : 0;
  }
  EXPECT_GT(covered_alone, 0.94 * kTrials);
  EXPECT_GT(covered_shared, 0.92 * kTrials);
}

domain::Pair trunk_at(double metric, int window) {
  domain::Pair pair;
  pair.window = window;
  pair.trunk.metric = metric;
  return pair;
}

TEST(Noise, GrowsWithTheTrunksOwnScatterAndNeverFallsFarBelowItsCalibration) {
  const domain::Calibration calibration{20, 0.04, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(estimate_noise(calibration, {}, {}).s_aa, 0.04);
  std::vector<domain::Pair> wild, calm;
  for (int i = 0; i < 20; ++i) {
    wild.push_back(trunk_at(i % 2 == 0 ? 1.0 : 1.2, i / 2));
    calm.push_back(trunk_at(1.0, i / 2));
  }
  EXPECT_GT(estimate_noise(calibration, wild, {}).s_aa, 0.1);
  EXPECT_EQ(estimate_noise(calibration, wild, {}).values, 30);
  EXPECT_NEAR(estimate_noise(calibration, calm, {}).s_aa, 0.04 * deviation_lower_factor(20), 1e-12);
}

TEST(Noise, TakesNoDifferencesAcrossWindowsOrFromVoidPairs) {
  const domain::Calibration calibration{20, 0.04, 0, 0, 0, 0};
  std::vector<domain::Pair> pairs = {trunk_at(1, 0), trunk_at(2, 1), trunk_at(1, 2),
                                     trunk_at(2, 2)};
  pairs[3].void_reason = "others were busy";
  EXPECT_DOUBLE_EQ(estimate_noise(calibration, pairs, {}).s_aa, 0.04);
}

TEST(VerdictText, SaysTheFiguresInOneLine) {
  const domain::Interval gain{std::log(1.31), std::log(1.26), std::log(1.37)};
  EXPECT_EQ(figures_text({gain, 6, 6, 0.031}), "1.31× [1.26, 1.37] over 6+6 pairs, noise 3.1 %");
  EXPECT_EQ(figures_text({{0, -0.01, 0.01}, 1, 0, 0.004}),
            "1.000× [0.990, 1.010] over 1 pair, noise 0.4 %");
  EXPECT_EQ(speedup_text(std::log(12.34)), "12.3×");
}

}  // namespace
}  // namespace arbor::measure
