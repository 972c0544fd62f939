// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/baseline.h"
#include "engine/session.h"

namespace arbor::studies {

struct Verification {
  domain::Interval log_gain;
  int pairs = 0;
  bool is_check_passed = false;
  std::string check_detail;
};

// The proof a reviewer runs: original and recipe rebuilt from clean checkouts without any cache,
// checked, and measured again in fresh pairs.
std::expected<Verification, engine::BaselineFailure> verify_recipe(
    engine::Session& session, const engine::CampaignStarted& start, const domain::Recipe& recipe,
    const std::string& commit, int pairs);

}  // namespace arbor::studies
