// SPDX-License-Identifier: Apache-2.0
#include "engine/session.h"

#include <algorithm>

#include "measure/statistics.h"

namespace arbor::engine {

base::Result<void> Session::commit(const Record& record) {
  const std::int64_t now = services_.clock.unix_ms();
  ARBOR_TRY_VOID(services_.store.append({encode(record, now)}));
  state_.apply(record, now, services_.manifest);
  if (services_.on_record) services_.on_record(record, state_);
  return {};
}

void Session::phase(const std::string& text) const {
  if (services_.on_phase) services_.on_phase(text);
}

void Session::notice(const std::string& text) const {
  if (services_.on_notice) services_.on_notice(text);
}

bool Session::is_off(const std::string& name) const {
  return state_.started &&
         std::ranges::find(state_.started->without, name) != state_.started->without.end();
}

bool Session::is_out_of_time() const { return services_.clock.monotonic_ns() >= trials_end_ns; }

double Session::left_s() const {
  const std::int64_t now_ns = services_.clock.monotonic_ns();
  return now_ns >= trials_end_ns ? 0 : static_cast<double>(trials_end_ns - now_ns) / 1e9;
}

double Session::launch_s() const {
  return static_cast<double>(state_.calibrated->calibration.launch_ns_median) / 1e9;
}

double Session::trunk_launch_s() const {
  for (auto trial = state_.trials.rbegin(); trial != state_.trials.rend(); ++trial) {
    const bool is_kept = trial->end && trial->end->verdict.kind == domain::VerdictKind::kKept;
    if (!is_kept || trial->confirm_pairs.empty()) continue;
    std::vector<double> launches;
    for (const auto& pair : trial->confirm_pairs)
      launches.push_back(static_cast<double>(pair.candidate.wall_ns) / 1e9);
    return measure::median(std::move(launches));
  }
  return launch_s();
}

domain::NodeId Session::trunk_node() const {
  return search().nodes().empty() ? domain::NodeId{0} : search().trunk();
}

}  // namespace arbor::engine
