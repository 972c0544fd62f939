// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/action.h"
#include "domain/change.h"
#include "domain/constraint.h"
#include "domain/ids.h"
#include "domain/profile.h"
#include "domain/verdict.h"

// The tree and what to try next, as ask/tell. Pure and seeded: it knows no process, no clock, no
// model; the same calls give the same answers, so a journal replayed rebuilds it.
namespace arbor::search {

struct ScoreTerms {  // every term of h(a), stored with the node: `arbor why` prints them
  double f = 0, s = 0, g = 0, minutes = 0, accuracy_risk = 0, crash_risk = 0, gap = 1;
  double exploit_raw = 0, exploit = 0, explore = 0, exploration_weight = 0;
  double multiplier = 1;  // successes and failures of its own and of similar ideas, penalties
  double total = 0;
  int trials_so_far = 0, category_trials = 0;  // trials_so_far is N: it counts from 1
  bool operator==(const ScoreTerms&) const = default;
};

enum class IdeaState { kOpen, kTried, kForbidden, kDone, kSuperseded };

// An action in the frontier, with its history.
struct Idea {
  domain::Action action;
  domain::NodeId proposed_at;  // the node whose profile revealed it
  IdeaState state = IdeaState::kOpen;
  int attempts = 0;
  std::optional<domain::Verdict> last;
  double multiplier = 1;
  std::string note;  // why it is forbidden, or what it waits for
};

struct Node {
  domain::NodeId id;
  domain::NodeId parent;  // invalid for the root
  domain::TrialId trial;  // invalid for the root
  std::vector<domain::ActionId> actions;
  domain::NodeId earlier_attempt;          // of the same action, if any
  domain::Recipe recipe;                   // from the root
  std::string commit;                      // source state
  std::optional<domain::Verdict> verdict;  // empty for the root
  std::optional<domain::Profile> profile;  // of the root and of kept nodes
  ScoreTerms score;                        // when it was chosen
  std::string annotation;
};

struct Choice {
  domain::Action action;  // a combined one has parts
  domain::NodeId parent;  // trial is made on this node's state
  ScoreTerms score;
  std::string why;  // a sentence: best of 14 open; retry because X was kept; …
};

struct SearchOptions {
  std::uint64_t seed = 1;
  bool is_as_printed = false;  // the seed papers' form of the score
  std::optional<double> goal_speedup;
  double delta1 = 0.01;  // smallest log gain worth having, from the calibration
  int crash_limit = 10;  // so many crashed trials end the campaign
};

class Search {
 public:
  explicit Search(SearchOptions options);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  void add_root(const std::string& commit, const domain::Profile& profile);
  // Merges duplicates (equal action_key), gives ids; returns those that are new.
  std::vector<domain::ActionId> propose(domain::NodeId at, std::vector<domain::Action> actions);
  void add_constraint(domain::Constraint constraint);

  // The best open action that no constraint forbids, or a retry / a combined trial when due.
  // Nothing = the frontier is empty or cannot beat delta1: see stop_reason(). Repeated calls give
  // the same answer until something else is called; what has begun is not handed out again. A
  // combined trial becomes an idea, with an id, when it is handed out: a replay asks again too.
  std::optional<Choice> ask();
  std::string stop_reason() const;  // empty while ask() has an answer or a trial is in flight
  double upper_bound() const;       // largest log gain still predicted by the open frontier

  // Opens the node of a trial. Then tell ends it.
  domain::NodeId begin(const Choice& choice, domain::TrialId trial);
  // kept needs recipe and commit of the new state; the trunk moves to the node.
  void tell(domain::NodeId node, const domain::Verdict& verdict, const domain::Recipe& recipe,
            const std::string& commit, const std::string& annotation);
  // Back to an earlier node of the trunk. The nodes behind it stay in the tree, abandoned; their
  // actions may be tried again like reverted ones.
  void roll_back(domain::NodeId to, const std::string& reason);
  // After a keep: the new profile re-weighs shares of all open actions.
  void set_profile(domain::NodeId node, const domain::Profile& profile);
  // What its latest trial took. One that never came to measuring says nothing of the next.
  void learn_minutes(const domain::Action& action, double minutes);

  domain::NodeId trunk() const;
  const Node& node(domain::NodeId id) const;
  const std::vector<Node>& nodes() const;
  std::vector<Idea> ideas() const;  // best score first
  std::optional<Idea> idea(domain::ActionId id) const;
  ScoreTerms score(domain::ActionId id) const;
  const std::vector<domain::Constraint>& constraints() const;         // in force
  const std::vector<domain::Constraint>& lapsed_constraints() const;  // no longer
  double gain_so_far() const;                                         // Σ ln gain on the trunk

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace arbor::search
