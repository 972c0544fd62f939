// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace arbor::base {
namespace {
std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
}  // namespace

Random::Random(std::uint64_t seed) {
  for (auto& word : state_) word = splitmix(seed);
}

Random Random::stream(std::uint64_t seed, std::string_view name, std::uint64_t index) {
  std::uint64_t mixed = seed;
  for (const char c : name) {
    mixed ^= static_cast<unsigned char>(c);
    mixed = splitmix(mixed);
  }
  mixed ^= index;
  return Random(splitmix(mixed));
}

std::uint64_t Random::next() {
  const std::uint64_t value = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return value;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Random::below(std::uint64_t bound) {
  ARBOR_CHECK(bound > 0, "a bound of zero has no number below it");
  const std::uint64_t threshold = (0 - bound) % bound;
  while (true) {
    const std::uint64_t value = next();
    if (value >= threshold) return value % bound;
  }
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace arbor::base
