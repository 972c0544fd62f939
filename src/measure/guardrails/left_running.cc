// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "measure/guardrails/guardrail.h"

namespace arbor::measure {
namespace {

constexpr std::size_t kFewestPairs = 4;  // one launch alone may have lost a race with its shell

// Work that goes on when the command has ended is work that its metric does not show: a program
// that hands it to a process of its own looks fast and leaves the machine busy. Where the original
// does so as well, it is the program's way.
class LeftRunning : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kAfter; }
  std::optional<Finding> check(const GuardContext& context) const override {
    const auto outlived = [&](domain::Launch domain::Pair::* arm) {
      return static_cast<std::size_t>(std::ranges::count_if(
          context.pairs, [&](const domain::Pair& pair) { return (pair.*arm).is_outlived; }));
    };
    const std::size_t candidate = outlived(&domain::Pair::candidate);
    if (context.pairs.size() < kFewestPairs || 2 * candidate <= context.pairs.size() ||
        outlived(&domain::Pair::trunk) > 0)
      return std::nullopt;
    return Finding{
        FindingKind::kSuspect, "left-running",
        fmt::format("the candidate left processes running when its command had ended, in "
                    "{} of {} launches, the trunk in none",
                    candidate, context.pairs.size())};
  }
};

ARBOR_REGISTER(Guardrail, "left-running",
               "Suspects a candidate whose processes outlive its command", LeftRunning);

}  // namespace
}  // namespace arbor::measure
