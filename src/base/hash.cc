// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include "base/check.h"

namespace arbor::base {
namespace {
std::string hex_of(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}
}  // namespace

std::string content_hash(std::string_view bytes) {
  return hex_of(XXH3_128bits(bytes.data(), bytes.size()));
}

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  ~State() { XXH3_freeState(xxh); }
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  ARBOR_CHECK(state_->xxh != nullptr, "out of memory");
  XXH3_128bits_reset(state_->xxh);
}
Hasher::~Hasher() = default;

Hasher& Hasher::add(std::string_view piece) {
  add(static_cast<std::int64_t>(piece.size()));
  XXH3_128bits_update(state_->xxh, piece.data(), piece.size());
  return *this;
}

Hasher& Hasher::add(std::int64_t number) {
  XXH3_128bits_update(state_->xxh, &number, sizeof number);
  return *this;
}

std::string Hasher::hex() const { return hex_of(XXH3_128bits_digest(state_->xxh)); }

}  // namespace arbor::base
