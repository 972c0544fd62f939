// SPDX-License-Identifier: Apache-2.0
#include "engine/quiet_machine.h"

#include <fmt/format.h>

#include "base/text.h"
#include "measure/guardrails/guardrail.h"

namespace arbor::engine {
namespace {
constexpr double kLookS = 1;        // long enough that the clock tick's grain does not matter
constexpr double kPatienceS = 600;  // a build beside us ends in that time
constexpr double kSaidAfterS = 5;   // shorter waits are the phase line's alone
}  // namespace

base::Result<void> wait_until_quiet(const Session& session) {
  if (session.is_off("load-of-others")) return {};
  const double limit = measure::bearable_load(session.services().machine.cpus);
  const std::int64_t start_ns = session.services().clock.monotonic_ns();
  bool was_said = false;
  while (true) {
    ARBOR_TRY(const auto load, session.services().executor.load(kLookS, session.stop()));
    if (!load || *load <= limit) return {};
    const std::int64_t now_ns = session.services().clock.monotonic_ns();
    const double waited_s = static_cast<double>(now_ns - start_ns) / 1e9;
    if (waited_s > kPatienceS || now_ns > session.trials_end_ns) return {};
    const std::string text = fmt::format(
        "waiting for a quiet machine: other processes keep {:.1f} CPUs busy (limit {:.1f})", *load,
        limit);
    if (!was_said && waited_s > kSaidAfterS) {
      session.notice(text + "; the wait counts against the budget");
      was_said = true;
    }
    session.phase(fmt::format("{}, {} so far", text, base::format_duration(waited_s)));
  }
}

}  // namespace arbor::engine
