// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "world.h"

namespace arbor::scenario {
namespace {

class Campaign : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Campaign, DecidesAsItsScenarioExpects) {
  const Scenario scenario = read_scenario(GetParam());
  World world(scenario);
  const auto run = world.run();
  if (std::getenv("ARBOR_UPDATE_GOLDEN") != nullptr)
    ASSERT_TRUE(base::write_file(scenario.file, scenario.head + run.notices + run.story));
  else
    EXPECT_EQ(run.notices + run.story, scenario.expected) << "see " << scenario.file;
}

TEST_P(Campaign, NeverOverrunsItsBudgetByMoreThanOneLaunchOfEachArm) {
  const Scenario scenario = read_scenario(GetParam());
  World world(scenario);
  EXPECT_LE(world.run().spent_s, scenario.budget_s + 2 * scenario.launch_s);
}

// The store refuses after so many records, again and again, and each time a new session goes on.
TEST_P(Campaign, DecidesTheSameHoweverOftenItIsKilled) {
  const Scenario scenario = read_scenario(GetParam());
  Scenario patient = scenario;  // what is repeated costs time, which is not what is tested here
  patient.budget_s = 1e6;
  World undisturbed(patient);
  const auto story = undisturbed.run().story;
  const int records = static_cast<int>(undisturbed.records());
  World killed(patient);
  const int step = std::max(3, records / 6);
  for (int sessions = 0; sessions < 40; ++sessions) {
    const auto run = killed.run(step + sessions);
    if (run.is_cut_off) continue;
    EXPECT_EQ(run.story, story);
    return;
  }
  FAIL() << "forty sessions did not end the campaign";
}

TEST(Notes, OfGuardrailsThatDoNotObjectStandInTheJournal) {
  Scenario scenario =
      read_scenario(std::filesystem::path(ARBOR_SCENARIOS) / "keeps-what-pays.scenario");
  World calm(scenario);
  calm.run();
  EXPECT_EQ(calm.notes(), 0U);
  scenario.noise = 0.2;
  World wild(scenario);
  wild.run();
  EXPECT_GT(wild.notes(), 0U);
}

// Each session lives for three more pairs: what it measured before it died counts.
TEST(Calibration, GoesOnWhereAKilledSessionLeftIt) {
  Scenario scenario =
      read_scenario(std::filesystem::path(ARBOR_SCENARIOS) / "keeps-what-pays.scenario");
  World world(scenario);
  for (int session = 0; session < 12; ++session)
    if (!world.run(5).is_cut_off) break;
  EXPECT_NE(world.run().story.find("final"), std::string::npos);
  EXPECT_EQ(world.count("calibration_pair"), 20U);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Campaign, testing::ValuesIn(all_scenarios()),
                         [](const auto& tested) {
                           std::string name = tested.param.stem().string();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace arbor::scenario
