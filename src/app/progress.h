// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/campaign_state.h"

// What a campaign is doing, as one line that moves with the clock. Pure: time is an argument, in
// seconds of one steady clock.
namespace arbor::app {

struct Progress {
  double budget_s = 0;  // 0: none is kept, as in a single trial
  double spent_before_s = 0;
  double began_s = 0;       // this session
  std::string phase;        // "pair 6  so far 1.051× [1.012, 1.092]"
  std::string node, title;  // of the trial under way; empty between trials
  double trial_began_s = 0;
  double trial_expected_s = 0;  // 0: not known
  std::string last;             // "reverted n2"
  double best = 1;              // factor of the kept steps
};

// "0.3 s", "2m 10s": no finer than who reads along can see.
std::string elapsed_text(double seconds);

// Fits the width as far as it can: the title gives way first.
std::string progress_line(const Progress& progress, double now_s, int width);

// How long the next trial will take: the median of the last ones that came to measuring, else what
// its action predicts.
double expected_trial_s(const engine::CampaignState& state, const domain::Action& action);

// What of a phase stays while it counts: "calibrating the noise" of "…, pair 3 of 20".
std::string phase_name(const std::string& phase);

}  // namespace arbor::app
