// SPDX-License-Identifier: Apache-2.0
#include "engine/pinning.h"

#include <gtest/gtest.h>

#include <set>

namespace arbor::engine {
namespace {

domain::Pair pair_of(double trunk_cpus, double candidate_cpus) {
  domain::Pair pair;
  pair.trunk.wall_ns = pair.candidate.wall_ns = 1'000'000;
  pair.trunk.user_ns = static_cast<std::int64_t>(trunk_cpus * 1e6);
  pair.candidate.user_ns = static_cast<std::int64_t>(candidate_cpus * 1e6);
  return pair;
}

TEST(Pinning, ArmsThatKeepOneCpuBusyShareOneAndNotAlwaysTheSame) {
  const std::vector<domain::Pair> before = {pair_of(1, 0.98), pair_of(0.5, 1.02)};
  std::set<int> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto cpus = shared_cpu(before, {2, 5}, seed);
    ASSERT_EQ(cpus.size(), 1U);
    seen.insert(cpus[0]);
  }
  EXPECT_EQ(seen, (std::set<int>{2, 5}));
}

TEST(Pinning, NothingIsPinnedThatMayUseMore) {
  EXPECT_TRUE(shared_cpu({}, {0, 1}, 1).empty()) << "nothing is known of the first pair";
  const std::vector<domain::Pair> parallel = {pair_of(1, 1), pair_of(1, 1.8)};
  EXPECT_TRUE(shared_cpu(parallel, {0, 1}, 1).empty());
  auto failed = pair_of(1, 1);
  failed.candidate.failure = "it was killed by signal 11";
  EXPECT_TRUE(shared_cpu(std::vector{failed}, {0, 1}, 1).empty());
}

TEST(Pinning, OneUsableCpuNeedsNone) {
  EXPECT_TRUE(shared_cpu(std::vector{pair_of(1, 1)}, {3}, 1).empty());
}

}  // namespace
}  // namespace arbor::engine
