// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "domain/manifest.h"
#include "engine/journal.h"
#include "ports/store/store.h"
#include "search/search.h"

namespace arbor::engine {

// One attempt as the journal tells it.
struct Trial {
  TrialStarted start;
  std::optional<domain::Change> change;
  std::vector<StageDone> stages;
  std::vector<domain::Pair> pairs;
  std::vector<domain::Pair> confirm_pairs;
  std::optional<TrialEnded> end;
  double started_s = 0;  // time of the campaign, without pauses
};

// A campaign as the fold of its journal. The controller applies each record after it is on disk;
// every other verb (status, tree, why, report) folds the same records read-only.
struct CampaignState {
  std::optional<CampaignStarted> started;
  std::optional<BaselineReady> baseline;
  std::vector<domain::Pair> calibration_pairs;
  std::optional<SelfTested> self_test;
  std::optional<Calibrated> calibrated;
  std::vector<Profiled> profiles;
  std::vector<domain::NodeId> asked;  // where the specialists were asked, once for each time
  std::vector<Trial> trials;          // by id, from t1
  std::vector<domain::Pair> final_pairs;
  std::optional<FinalMeasured> final_measured;
  std::optional<CampaignStopped> stopped;
  std::unique_ptr<search::Search> search;
  std::int64_t first_unix_ms = 0;
  std::int64_t last_unix_ms = 0;
  std::int64_t session_unix_ms = 0;  // when the latest session began
  double spent_before_s = 0;         // by earlier sessions
  double elapsed_s = 0;              // up to the last entry, without the pauses between sessions

  const Trial* running() const;  // the trial without an end, if any
  const Trial* find(domain::TrialId id) const;
  int count(domain::VerdictKind kind) const;
  int decided() const;

  void apply(const Record& record, std::int64_t unix_ms, const domain::Manifest& manifest);
};

// Folds a whole journal. kCorrupt when an entry does not fit those before it: the search asked
// again must choose what the journal says it chose.
base::Result<CampaignState> fold(const std::vector<ports::Event>& events,
                                 const domain::Manifest& manifest);

}  // namespace arbor::engine
