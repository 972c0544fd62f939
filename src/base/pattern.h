// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace re2 {
class RE2;
}

namespace arbor::base {

// A regular expression over bytes that stays harmless whatever it is and whatever it is searched
// in: time linear in the text, bounded memory, no recursion. That is why it knows no lookahead and
// no backreference; the rest is what Perl, Python and JavaScript have in common. Copies share.
class Pattern {
 public:
  enum class Case { kSensitive, kIgnored };

  // A user's; kUsage says what is wrong with it in words for the user.
  static Result<Pattern> compile(const std::string& expression, Case letters = Case::kSensitive);
  // One of our own: a mistake in it is a broken invariant.
  explicit Pattern(const char* expression, Case letters = Case::kSensitive);

  int groups() const;
  bool is_in(std::string_view text) const;
  // The first match: [0] is all of it, then its groups; a group that took no part is empty.
  std::optional<std::vector<std::string_view>> find(std::string_view text) const;
  // Of each match from left to right, its first group, or the whole match where it has none.
  std::vector<std::string_view> all(std::string_view text) const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace arbor::base
