// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>
#include <string_view>

// ARBOR_CHECK(condition, message): a broken invariant of our own aborts loudly, in release too.
// Bad input and a failing world never come here: they are verdicts and errors.
namespace arbor::base {

// Text printed before an abort, e.g. campaign id and seed. Set once by the wiring.
void set_crash_context(std::string_view text);

[[noreturn]] void fail_check(std::string_view condition, std::string_view message,
                             std::source_location where = std::source_location::current());

}  // namespace arbor::base

#define ARBOR_CHECK(condition, message)                 \
  do {                                                  \
    if (!(condition)) [[unlikely]]                      \
      ::arbor::base::fail_check(#condition, (message)); \
  } while (false)
