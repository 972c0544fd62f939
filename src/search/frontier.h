// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/search.h"

namespace arbor::search {

// An idea with what the search alone needs to know of it.
struct Entry {
  Idea idea;
  bool is_combination = false;  // made here of other entries: never handed out as a single idea
  bool is_in_flight = false;    // begun, not yet told
  bool is_retry = false;        // open again after an attempt
  int combined_attempts = 0;    // trials it was a part of
  bool has_failed_together = false;  // one of them lost: which part is to blame is not known
  domain::ActionId covered_by;       // what superseded it
  domain::NodeId last_node;          // of its latest attempt
  domain::NodeId tried_on;           // the trunk then
  double share_when_tried = 0;       // f then
  double share_when_proposed = 0;    // f as it was proposed, and …
  std::optional<double> target_share_when_proposed;  // … its target's share in that profile
  std::uint64_t tie = 0;                             // seeded order among equals
};

// Every idea ever proposed, action aN at index N−1, and how each may come back:
//   kept                        never (it is part of the trunk)
//   superseded                  when what covers it is rolled back
//   inconclusive, reverted      when an action that enables it was kept since, or when the trunk
//                               moved on and its target's share of time grew by half
//   crashed, rejected, suspect  likewise, but a wrong output never returns
// and none after three attempts.
class Frontier {
 public:
  explicit Frontier(std::uint64_t seed) : seed_(seed) {}

  // A new idea, or nothing when it is known: then what is known takes over the newer evidence and
  // keeps its history.
  std::optional<domain::ActionId> add(domain::Action action, domain::NodeId at,
                                      domain::NodeId trunk, const domain::Profile* profile);
  domain::ActionId add_combination(domain::Action action, domain::NodeId at);
  void restore_combination(const domain::Action& action, domain::NodeId at);  // id already given

  std::size_t size() const { return entries_.size(); }
  bool has(domain::ActionId id) const;
  const Entry* find(const domain::Action& action) const;  // by its key; nullptr when unknown
  const Entry& at(domain::ActionId id) const;
  Entry& at(domain::ActionId id);
  const std::vector<Entry>& entries() const { return entries_; }
  domain::ActionId next_id() const { return {static_cast<std::int64_t>(entries_.size()) + 1}; }

  void reprofile(const domain::Profile& profile, domain::NodeId trunk);
  void reopen_enabled_by(const domain::Action& kept);
  // What one outcome says of other ideas, as factors of their scores, bounded: never zero.
  void spread_success(const std::vector<domain::Action>& kept);  // similar ×1.5, alternatives ×0.7
  // Itself ×0.5, similar and its own parts ×0.7; of ordered alternatives only those further that
  // way, ×0.5.
  void spread_regression(const domain::Action& slower);
  void weaken_beyond(const domain::Action& flat);  // ordered alternatives further that way ×0.7
  void weaken_strategy(const domain::Action& discarded);  // that strategy ×0.8
  void supersede_combinations_with(domain::ActionId kept_alone);
  // What the kept action makes superfluous is done with, until that one is rolled back.
  // The same for one that changed nothing, until it is tried again.
  void supersede_covered_by(const domain::Action& first, const std::string& outcome);
  void restore_covered_by(domain::ActionId rolled_back);

 private:
  Entry& push(domain::Action action, domain::NodeId at);

  std::uint64_t seed_;
  std::vector<Entry> entries_;
  std::map<std::string, domain::ActionId> by_key_;
};

inline constexpr int kMaxAttempts = 3;

bool has_ended_alive(const Entry& entry);  // tried, and may take part in a combined trial
bool may_return(const Entry& entry);

}  // namespace arbor::search
