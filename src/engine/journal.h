// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "base/error.h"
#include "engine/records.h"
#include "ports/store/store.h"

// Records as the store's events and back.
namespace arbor::engine {

using Record =
    std::variant<CampaignStarted, BaselineReady, CalibrationPair, SelfTested, Calibrated, Profiled,
                 Proposed, TrialStarted, ChangePrepared, StageDone, PairMeasured, TrialEnded,
                 FinalMeasured, SessionResumed, CampaignStopped>;

// The record's name in the journal: "trial_ended".
std::string record_type(const Record& record);
ports::Event encode(const Record& record, std::int64_t unix_ms);
// kCorrupt names the sequence number, the key and what is wrong with it: something that is missing,
// of another kind, or out of its bounds.
base::Result<Record> decode(const ports::Event& event);

}  // namespace arbor::engine
