// SPDX-License-Identifier: Apache-2.0
#include "search/breadth.h"

#include <gtest/gtest.h>

#include <set>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

using toy::Campaign;

// Ten strong kernel ideas in categories of their own, and one modest idea of two other layers.
struct Lopsided {
  explicit Lopsided(double modest_minutes = 1, double modest_speedup = 1.03) {
    for (int i = 0; i < 10; ++i)
      campaign.propose({"kernel.k" + std::to_string(i), "tile" + std::to_string(i), "", 1, 2.0});
    campaign.propose({"runtime.r", "spin", "", 1, modest_speedup, modest_minutes});
    campaign.propose({"framework.f", "batch=8", "", 1, modest_speedup, modest_minutes});
  }
  // The layers of so many trials, none of which gains anything.
  std::vector<domain::Layer> play(int trials) {
    std::vector<domain::Layer> layers;
    for (int i = 0; i < trials; ++i)
      layers.push_back(campaign.next(toy::reverted(0.0)).action.layer);
    return layers;
  }
  Campaign campaign;
};

TEST(Breadth, LayersFallDueOneByOne) {
  EXPECT_EQ(layers_due(1), 1);
  EXPECT_EQ(layers_due(2), 1);
  EXPECT_EQ(layers_due(3), 2);
  EXPECT_EQ(layers_due(4), 3);
  EXPECT_EQ(layers_due(8), 5);
}

TEST(Breadth, FourTrialsTryThreeLayersHoweverWellOneScores) {
  Lopsided lopsided;
  const auto layers = lopsided.play(6);
  using domain::Layer;
  EXPECT_EQ(layers[0], Layer::kKernel);
  EXPECT_EQ(layers[1], Layer::kKernel);
  EXPECT_EQ(std::set<Layer>(layers.begin() + 2, layers.begin() + 4),
            (std::set<Layer>{Layer::kRuntime, Layer::kFramework}));
  EXPECT_EQ(layers[4], Layer::kKernel);
  EXPECT_EQ(layers[5], Layer::kKernel);
}

TEST(Breadth, TheReasonNamesTheLayer) {
  Lopsided lopsided;
  lopsided.play(2);
  const auto why = lopsided.campaign.search.ask()->why;
  EXPECT_TRUE(why.contains(" layer, 2 trials so far tried only: kernel; best of ")) << why;
}

TEST(Breadth, ADearIdeaOrOneThatPromisesTooLittleIsNotForced) {
  for (auto layers : {Lopsided(30).play(4), Lopsided(1, 1.005).play(4)})
    for (const auto layer : layers) EXPECT_EQ(layer, domain::Layer::kKernel);
}

TEST(Breadth, ACombinedTrialTriesTheLayersOfItsParts) {
  Campaign campaign;
  const auto tile = campaign.propose({"kernel.k", "tile", "dot", 0.5, 1.1});
  const auto spin = campaign.propose({"runtime.r", "spin", "", 1, 1.1});
  campaign.play(tile, toy::inconclusive(0.008));
  campaign.play(spin, toy::inconclusive(0.008));
  ASSERT_EQ(campaign.next(toy::reverted(0.0)).action.parts.size(), 2U);
  campaign.propose({"kernel.other", "swap", "", 1, 2.0});
  campaign.propose({"compiler.c", "-O3", "", 1, 1.03});
  EXPECT_EQ(campaign.search.ask()->action.layer, domain::Layer::kCompiler);
}

}  // namespace
}  // namespace arbor::search
