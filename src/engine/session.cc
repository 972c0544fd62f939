// SPDX-License-Identifier: Apache-2.0
#include "engine/session.h"

#include <algorithm>

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

double Session::launch_s() const {
  return static_cast<double>(state_.calibrated->calibration.launch_ns_median) / 1e9;
}

domain::NodeId Session::trunk_node() const {
  return search().nodes().empty() ? domain::NodeId{0} : search().trunk();
}

}  // namespace arbor::engine
