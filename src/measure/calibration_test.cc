// SPDX-License-Identifier: Apache-2.0
#include "measure/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace arbor::measure {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

domain::Pair equal_pair(base::Random& random, double s_aa, double bias = 0) {
  domain::Pair pair;
  pair.x = bias + s_aa * random.normal();
  pair.trunk.metric = 1;
  pair.candidate.metric = std::exp(-*pair.x);
  pair.trunk.wall_ns = pair.candidate.wall_ns = 1'000'000'000;
  return pair;
}

CalibrationResult calibrate(CalibrationOptions options, double s_aa, double bias = 0) {
  Calibrator calibrator(options);
  base::Random random(options.seed);
  while (true) {
    const auto step = calibrator.next();
    if (const auto* result = std::get_if<CalibrationResult>(&step)) return *result;
    calibrator.tell(equal_pair(random, s_aa, bias));
  }
}

TEST(Calibration, FindsTheNoiseOfEqualArms) {
  const auto result = calibrate({20, 3}, 0.05);
  EXPECT_TRUE(result.is_usable);
  EXPECT_EQ(result.calibration.pairs, 20);
  EXPECT_NEAR(result.calibration.s_aa, 0.05, 0.025);
  EXPECT_DOUBLE_EQ(result.calibration.smallest_detectable, 0.85 * result.calibration.s_aa);
  EXPECT_EQ(result.calibration.launch_ns_median, 1'000'000'000);
}

TEST(Calibration, KnowsHowManyFiguresThereAreOnlyWhereTheirNumberIsAlwaysTheSame) {
  const auto seen = [](std::int64_t last) {
    Calibrator calibrator({4, 1});
    base::Random random(1);
    while (true) {
      const auto step = calibrator.next();
      if (const auto* result = std::get_if<CalibrationResult>(&step))
        return result->calibration.figures;
      auto pair = equal_pair(random, 0.01);
      pair.trunk.figures = 2;
      pair.candidate.figures = calibrator.pairs().size() == 3 ? last : 2;
      calibrator.tell(pair);
    }
  };
  EXPECT_EQ(seen(2), 2);
  EXPECT_EQ(seen(3), std::nullopt);
  EXPECT_EQ(calibrate({20, 3}, 0.05).calibration.figures, std::nullopt) << "nothing was read";
}

TEST(Calibration, NoticesArmsThatAreNotTreatedAlike) {
  EXPECT_TRUE(calibrate({20, 3}, 0.02, 0.1).looks_biased);
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    alarms += calibrate({20, seed}, 0.05).looks_biased ? 1 : 0;
  EXPECT_LE(alarms, 15) << "1 % of equal arms may look unequal by chance";
}

TEST(Calibration, SaysSoWhenItRestsOnFewPairs) {
  const auto result = calibrate({6, 3}, 0.05);
  EXPECT_TRUE(result.is_usable);
  EXPECT_THAT(result.notes, Contains(HasSubstr("6 pairs only")));
}

TEST(Calibration, DiscardsItsWarmUp) {
  Calibrator calibrator({4, 1});
  base::Random random(1);
  EXPECT_TRUE(std::get<PairStep>(calibrator.next()).is_warm_up);
  auto wild = equal_pair(random, 0.01);
  wild.x = 5;
  calibrator.tell(wild);
  EXPECT_TRUE(calibrator.pairs().empty());
  EXPECT_FALSE(std::get<PairStep>(calibrator.next()).is_warm_up);
}

TEST(Calibration, GivesUpOnAProgramThatCannotBeMeasured) {
  Calibrator calibrator({12, 1});
  domain::Pair broken;
  broken.trunk.failure = "metric rate: nothing was printed there";
  int tries = 0;
  while (std::holds_alternative<PairStep>(calibrator.next())) {
    calibrator.tell(broken);
    ASSERT_LT(++tries, 20);
  }
  const auto result = std::get<CalibrationResult>(calibrator.next());
  EXPECT_FALSE(result.is_usable);
  EXPECT_THAT(result.notes, Contains(HasSubstr("nothing was printed")));
}

TEST(Calibration, EndsEarlyWithWhatItHas) {
  Calibrator calibrator({20, 1});
  base::Random random(1);
  for (int i = 0; i < 9; ++i) calibrator.tell(equal_pair(random, 0.05));
  calibrator.finish();
  const auto result = std::get<CalibrationResult>(calibrator.next());
  EXPECT_TRUE(result.is_usable);
  EXPECT_EQ(result.calibration.pairs, 8);
  Calibrator unbegun({20, 1});
  unbegun.finish();
  EXPECT_FALSE(std::get<CalibrationResult>(unbegun.next()).is_usable);
}

}  // namespace
}  // namespace arbor::measure
