// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace arbor::base {
namespace {
std::string& crash_context() {
  static std::string text;
  return text;
}
}  // namespace

void set_crash_context(std::string_view text) { crash_context() = text; }

void fail_check(std::string_view condition, std::string_view message, std::source_location where) {
  std::fprintf(
      stderr,
      "arbor: internal error at %s:%u: %.*s (%.*s)\n%s\n"
      "This is a bug in Arbor. The campaign is safe: 'arbor resume' goes on from its journal.\n",
      where.file_name(), static_cast<unsigned>(where.line()), static_cast<int>(message.size()),
      message.data(), static_cast<int>(condition.size()), condition.data(),
      crash_context().c_str());
  std::abort();
}

}  // namespace arbor::base
