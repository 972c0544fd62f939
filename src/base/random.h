// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace arbor::base {

// Seeded random numbers, equal on every platform and standard library (splitmix64 seeds
// xoshiro256++). Whoever decides takes one as an argument; nothing draws from a global one.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // An independent stream: the same (seed, name, index) always gives the same numbers.
  static Random stream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

  std::uint64_t next();
  double uniform();                          // [0, 1)
  std::uint64_t below(std::uint64_t bound);  // [0, bound), bound > 0, unbiased
  bool coin() { return (next() >> 63) != 0; }
  double normal();  // mean 0, variance 1

  template <typename T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::uint64_t state_[4];
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace arbor::base
