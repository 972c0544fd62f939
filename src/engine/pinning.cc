// SPDX-License-Identifier: Apache-2.0
#include "engine/pinning.h"

#include "base/random.h"

namespace arbor::engine {
namespace {

constexpr double kOneCpu = 1.05;  // starting and ending overlap a little

bool is_serial(const domain::Launch& launch) {
  const auto cpu_ns = static_cast<double>(launch.user_ns + launch.system_ns);
  return launch.wall_ns > 0 && launch.failure.empty() &&
         cpu_ns <= kOneCpu * static_cast<double>(launch.wall_ns);
}

}  // namespace

std::vector<int> shared_cpu(std::span<const domain::Pair> before, const std::vector<int>& usable,
                            std::uint64_t seed) {
  std::size_t seen = 0;
  for (const auto& pair : before) {
    if (!pair.void_reason.empty()) continue;
    if (!is_serial(pair.trunk) || !is_serial(pair.candidate)) return {};
    ++seen;
  }
  if (seen == 0 || usable.size() < 2) return {};
  return {usable[base::Random::stream(seed, "cpu").below(usable.size())]};
}

}  // namespace arbor::engine
