// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace arbor::base {

// Content address: 128-bit XXH3 as 32 lower-case hexadecimal digits. Not cryptographic: it tells
// contents apart, it does not defend against a made collision (what must, is compared bytewise).
std::string content_hash(std::string_view bytes);

// The same over several pieces; each piece's length is mixed in, so ("ab","c") ≠ ("a","bc").
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  Hasher& add(std::string_view piece);
  Hasher& add(std::int64_t number);
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace arbor::base
