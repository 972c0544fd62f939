// SPDX-License-Identifier: Apache-2.0
#include "search/tree_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

toy::Campaign small_campaign() {
  toy::Campaign campaign;
  campaign.play(campaign.propose({"compiler.isa", "-march=native", "", 1, 1.1}),
                toy::reverted(-0.04));
  campaign.play(campaign.propose({"kernel.loop", "interchange the loops of dot()", "dot", 0.5, 2}),
                toy::kept(0.3));
  campaign.play(campaign.propose({"runtime.allocator", "mimalloc", "", 1, 1.2}), toy::crashed());
  campaign.propose({"compiler.lto", "-flto", "", 1, 1.2});
  campaign.search.begin(*campaign.search.ask(), {9});
  return campaign;
}

TEST(TreeText, TheTrunkRunsDownTheLeftEdge) {
  const auto campaign = small_campaign();
  TreeTextOptions options;
  options.width = 60;
  EXPECT_EQ(tree_text(campaign.search, options),
            "● n0   baseline\n"
            "│ ✗ n1   -march=native          reverted -3.9 % [-5.8, -2.0]\n"
            "✓ n2   interchange the loops of …  kept +35.0 % [32.3, 37.7]\n"
            "│ ! n3   mimalloc                       crashed: run-crashed\n"
            "│ … n4   -flto                                     under way\n");
}

TEST(TreeText, NoLineIsWiderThanAsked) {
  const auto campaign = small_campaign();
  TreeTextOptions options;
  options.width = 44;
  options.is_ascii = true;
  std::istringstream lines(tree_text(campaign.search, options));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 44U) << line;
}

TEST(TreeText, ColoursOnlyWhenAsked) {
  const auto campaign = small_campaign();
  TreeTextOptions options;
  EXPECT_FALSE(tree_text(campaign.search, options).contains('\x1b'));
  options.is_coloured = true;
  EXPECT_TRUE(tree_text(campaign.search, options).contains("\x1b[32m✓\x1b[0m n2"));
}

TEST(TreeText, ATitleCannotSendControlCharactersToTheTerminal) {
  toy::Campaign campaign;
  campaign.play(campaign.propose({"compiler.flags", "evil\x1b[2J\nline", "", 1, 1.1}),
                toy::inconclusive(0));
  const auto text = tree_text(campaign.search, {});
  EXPECT_FALSE(text.contains('\x1b'));
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST(TreeText, WhatWasNotKeptCanBeLeftOut) {
  const auto campaign = small_campaign();
  TreeTextOptions options;
  options.is_trunk_only = true;
  EXPECT_EQ(std::ranges::count(tree_text(campaign.search, options), '\n'), 2);
}

}  // namespace
}  // namespace arbor::search
