// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace arbor::base {

// A number that cannot be mistaken for a number of another kind. Ids are given in order from 1
// (the root node is 0) and never reused within a campaign.
template <typename Tag>
struct Id {
  std::int64_t value = -1;
  auto operator<=>(const Id&) const = default;
  bool is_valid() const { return value >= 0; }
  std::string text() const { return std::string(Tag::kPrefix) + std::to_string(value); }
};

}  // namespace arbor::base

template <typename Tag>
struct std::hash<arbor::base::Id<Tag>> {
  std::size_t operator()(const arbor::base::Id<Tag>& id) const noexcept {
    return std::hash<std::int64_t>{}(id.value);
  }
};
