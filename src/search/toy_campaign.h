// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "search/search.h"

// Short ways to say what the tests of this room say often.
namespace arbor::search::toy {

inline domain::Profile profile(std::vector<std::pair<std::string, double>> shares) {
  domain::Profile made;
  made.tool = "toy";
  made.samples = 1000;
  for (auto& [symbol, share] : shares)
    made.hotspots.push_back({symbol, "server", "src/" + symbol + ".cc", 1, share, share});
  return made;
}

struct Idea {
  std::string category, strategy, target;
  double share = 1, speedup = 1.1, minutes = 1;
  std::vector<std::string> enables = {}, enabled_by = {};
  std::string parameters = {};
  std::string settles = {};
  std::vector<std::string> covers = {};
  int step = 0;
  std::vector<std::string> pays_with = {};
};

inline domain::Action action(const Idea& idea) {
  domain::Action made;
  made.category = idea.category;
  made.strategy = idea.strategy;
  made.target = idea.target;
  made.specialist = idea.category;
  made.parameters = idea.parameters;
  made.title = idea.strategy;
  made.prediction.touched_share = idea.share;
  made.prediction.local_speedup = idea.speedup;
  made.prediction.upper_speedup = 1 + 3 * (idea.speedup - 1);
  made.prediction.minutes = idea.minutes;
  made.prediction.accuracy_risk = made.prediction.crash_risk = 0.05;
  made.enables = idea.enables;
  made.enabled_by = idea.enabled_by;
  // The values of one knob settle it.
  made.settles =
      idea.settles.empty() && idea.target.starts_with("knob:") ? idea.target : idea.settles;
  made.covers = idea.covers;
  made.step = idea.step;
  made.pays_with = idea.pays_with;
  made.layer = domain::parse_layer(idea.category.substr(0, idea.category.find('.')))
                   .value_or(domain::Layer::kApplication);
  return made;
}

inline domain::Verdict verdict(domain::VerdictKind kind, double gain, double half_width = 0.02) {
  domain::Verdict made;
  made.kind = kind;
  made.stage = kind == domain::VerdictKind::kKept ? domain::Stage::kKeys : domain::Stage::kPairs;
  if (kind == domain::VerdictKind::kReverted) made.reason = gain < 0 ? "slower" : "not-worth";
  made.gain = domain::Interval{gain, gain - half_width, gain + half_width};
  made.pairs = 20;
  return made;
}

inline domain::Verdict kept(double gain) { return verdict(domain::VerdictKind::kKept, gain); }
inline domain::Verdict reverted(double gain) {
  return verdict(domain::VerdictKind::kReverted, gain);
}
inline domain::Verdict inconclusive(double gain) {
  return verdict(domain::VerdictKind::kInconclusive, gain);
}
inline domain::Verdict crashed() {
  domain::Verdict made;
  made.kind = domain::VerdictKind::kCrashed;
  made.stage = domain::Stage::kCheck;
  made.reason = "run-crashed";
  return made;
}

// A search with a root, that plays whole trials.
struct Campaign {
  explicit Campaign(SearchOptions options = {}) : search(options) {
    search.add_root("c0", profile({{"dot", 0.5}, {"norm", 0.3}, {"parse", 0.1}}));
  }
  domain::ActionId propose(const Idea& idea) {
    search.propose(search.trunk(), {action(idea)});
    for (const auto& known : search.ideas())
      if (domain::action_key(known.action) == domain::action_key(action(idea)))
        return known.action.id;
    return {};
  }
  domain::NodeId play(const Choice& choice, const domain::Verdict& outcome) {
    const auto node = search.begin(choice, {next_trial++});
    search.tell(node, outcome, {}, "c" + std::to_string(node.value), "");
    return node;
  }
  // Asks, and plays what was handed out.
  Choice next(const domain::Verdict& outcome) {
    const auto choice = search.ask();
    if (!choice) return {};
    play(*choice, outcome);
    return *choice;
  }
  // Plays this idea whether or not it is the best.
  domain::NodeId play(domain::ActionId id, const domain::Verdict& outcome) {
    return play(Choice{search.idea(id)->action, search.trunk(), search.score(id), "chosen"},
                outcome);
  }
  Search search;
  std::int64_t next_trial = 1;
};

}  // namespace arbor::search::toy
