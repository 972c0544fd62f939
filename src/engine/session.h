// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <stop_token>
#include <string>

#include "engine/campaign_state.h"
#include "engine/services.h"
#include "measure/accuracy.h"
#include "workspace/builder.h"

namespace arbor::engine {

// The controller's hands: journals a record, then applies it, then tells who watches. Nothing else
// in the engine writes to the store or changes the state.
class Session {
 public:
  Session(Services& services, CampaignState state, std::stop_token stop)
      : services_(services), state_(std::move(state)), stop_(std::move(stop)) {}

  base::Result<void> commit(const Record& record);
  void phase(const std::string& text) const;
  void notice(const std::string& text) const;

  Services& services() const { return services_; }
  const CampaignState& state() const { return state_; }
  search::Search& search() const { return *state_.search; }
  const std::stop_token& stop() const { return stop_; }
  const domain::Manifest& manifest() const { return services_.manifest; }
  double launch_s() const;                     // median launch, by the calibration
  double trunk_launch_s() const;               // as measured when it was kept
  domain::NodeId trunk_node() const;           // the root's before there is a root
  bool is_off(const std::string& name) const;  // switched off with --without

  // Nothing but the final measurement goes on after this (monotonic clock).
  std::int64_t trials_end_ns = std::numeric_limits<std::int64_t>::max();
  bool is_out_of_time() const;
  double left_s() const;  // until then

  // The built states in use. The judge is the baseline's build: its harness is every arm's.
  workspace::BuiltTree baseline;
  workspace::BuiltTree trunk;
  std::string judge_hash;  // of the judge's files, when the baseline was built
  // What the baseline's check gave on the last few seeds.
  std::map<std::uint64_t, measure::CheckReference> seeded_references;

 private:
  Services& services_;
  CampaignState state_;
  std::stop_token stop_;
};

}  // namespace arbor::engine
