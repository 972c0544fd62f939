// SPDX-License-Identifier: Apache-2.0
#include "base/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace arbor::base {
namespace {

// Bytes, not characters: what a program prints need not be UTF-8, and all of it can be matched. An
// expression that holds more than ASCII is meant in characters.
std::shared_ptr<const re2::RE2> compiled(const std::string& expression, Pattern::Case letters) {
  const auto compiled_as = [&](re2::RE2::CannedOptions encoding) {
    re2::RE2::Options options(encoding);
    options.set_case_sensitive(letters == Pattern::Case::kSensitive);
    options.set_log_errors(false);
    return std::make_shared<const re2::RE2>(expression, options);
  };
  if (std::ranges::any_of(expression, [](char c) { return c < 0; }))
    if (auto characters = compiled_as(re2::RE2::DefaultOptions); characters->ok())
      return characters;
  return compiled_as(re2::RE2::Latin1);
}

std::string why_refused(const re2::RE2& pattern) {
  std::string why = printable(pattern.error());
  if (pattern.error_code() == re2::RE2::ErrorBadPerlOp ||
      pattern.error_code() == re2::RE2::ErrorBadEscape)
    why +=
        "; lookahead and backreferences are not supported, since a search must take no more than "
        "time linear in its text";
  return why;
}

}  // namespace

Result<Pattern> Pattern::compile(const std::string& expression, Case letters) {
  auto pattern = compiled(expression, letters);
  if (!pattern->ok())
    return fail(ErrorKind::kUsage,
                fmt::format("the regular expression '{}' cannot be used: {}",
                            shortened(printable(expression), 200), why_refused(*pattern)));
  return Pattern(std::move(pattern));
}

Pattern::Pattern(const char* expression, Case letters) : compiled_(compiled(expression, letters)) {
  ARBOR_CHECK(compiled_->ok(), compiled_->error());
}

int Pattern::groups() const { return compiled_->NumberOfCapturingGroups(); }

bool Pattern::is_in(std::string_view text) const {
  return compiled_->Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED, nullptr,
                          0);
}

std::optional<std::vector<std::string_view>> Pattern::find(std::string_view text) const {
  std::vector<re2::StringPiece> parts(static_cast<std::size_t>(groups()) + 1);
  if (!compiled_->Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED,
                        parts.data(), static_cast<int>(parts.size())))
    return std::nullopt;
  std::vector<std::string_view> views;
  for (const auto& part : parts) views.emplace_back(part.data(), part.size());
  return views;
}

std::vector<std::string_view> Pattern::all(std::string_view text) const {
  const std::size_t group = groups() > 0 ? 1 : 0;
  std::vector<std::string_view> found;
  while (const auto match = find(text)) {
    found.push_back((*match)[group]);
    const auto end = static_cast<std::size_t>(match->front().data() - text.data()) +
                     std::max<std::size_t>(match->front().size(), 1);
    if (end >= text.size()) break;
    text.remove_prefix(end);
  }
  return found;
}

}  // namespace arbor::base
