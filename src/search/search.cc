// SPDX-License-Identifier: Apache-2.0
#include "search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.h"
#include "search/breadth.h"
#include "search/ranking.h"
#include "search/stopping.h"

namespace arbor::search {
namespace {

constexpr double kProfileShift = 0.10;
constexpr double kNewHotspot = 0.05;

bool has_shifted(const domain::Profile& before, const domain::Profile& after) {
  if (domain::profile_shift(before, after) >= kProfileShift) return true;
  return std::ranges::any_of(after.hotspots, [&](const domain::Hotspot& spot) {
    return spot.share >= kNewHotspot &&
           std::ranges::none_of(before.hotspots, [&](const domain::Hotspot& old) {
             return old.symbol == spot.symbol && old.object == spot.object;
           });
  });
}

const domain::CompilerChoice* compiler_of(const domain::Recipe& recipe) {
  const domain::CompilerChoice* last = nullptr;
  for (const auto& entry : recipe.entries)
    if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry)) last = choice;
  return last;
}

bool has_other_compiler(const domain::Recipe& before, const domain::Recipe& after) {
  const auto* a = compiler_of(before);
  const auto* b = compiler_of(after);
  return (a == nullptr) != (b == nullptr) || (a != nullptr && !(*a == *b));
}

bool is_regression(const domain::Verdict& verdict) {
  return verdict.kind == domain::VerdictKind::kReverted &&
         (verdict.reason == "slower" || (verdict.gain && verdict.gain->estimate < 0));
}

bool is_failure(const domain::Verdict& verdict) {
  return verdict.kind != domain::VerdictKind::kKept &&
         verdict.kind != domain::VerdictKind::kInconclusive;
}

}  // namespace

struct Search::State : Knowledge {
  using Knowledge::Knowledge;

  const Ranking& ranking() const {
    if (!cached) cached = rank_all(*this);
    return *cached;
  }
  void changed() { cached.reset(); }

  std::vector<domain::ActionId> carried_by(const domain::Action& action) const {
    if (action.parts.empty()) return {action.id};
    return action.parts;
  }
  void keep(const Node& node, const domain::Action& action, const domain::Recipe& before);
  Idea shown(const Entry& entry) const;
  Choice handed_out(const Pick& pick);

  mutable std::optional<Ranking> cached;
};

// Every part of what was kept is on the trunk now; what it enables comes back.
void Search::State::keep(const Node& node, const domain::Action& action,
                         const domain::Recipe& before) {
  const auto is_below = [&](domain::NodeId id) { return is_below_trunk(tree, id); };
  ARBOR_CHECK(node.parent == tree.trunk(),
              "a kept trial was measured against the trunk: " + node.id.text());
  tree.move_trunk(node.id);
  auto done = carried_by(action);
  if (!action.parts.empty()) done.push_back(action.id);
  for (const auto id : done) {
    auto& idea = frontier.at(id).idea;
    idea.state = IdeaState::kDone;
    idea.note = "kept in " + node.id.text();
  }
  std::vector<domain::Action> kept;
  for (const auto id : done) kept.push_back(frontier.at(id).idea.action);
  frontier.spread_success(kept);
  for (const auto& part : kept) {
    frontier.reopen_enabled_by(part);
    frontier.supersede_combinations_with(part.id);
    frontier.supersede_covered_by(part, "kept in " + node.id.text());
    constraints.lift_penalties(part, is_below);
  }
  if (has_other_compiler(before, node.recipe)) constraints.lapse(domain::Lapse::kToolchainChange);
}

Idea Search::State::shown(const Entry& entry) const {
  Idea idea = entry.idea;
  const auto& ruling = ranking().rulings[static_cast<std::size_t>(idea.action.id.value - 1)];
  if (entry.is_in_flight) {
    idea.note = "its trial is under way";
  } else if (idea.state == IdeaState::kOpen && ruling.forbidden_by) {
    idea.state = IdeaState::kForbidden;
    idea.note = fmt::format("{}: {}", ruling.forbidden_by->text(), ruling.reason);
  }
  return idea;
}

Choice Search::State::handed_out(const Pick& pick) {
  Choice choice;
  choice.parent = tree.trunk();
  if (pick.combined != nullptr) {
    const RankedCombination best = *pick.combined;
    choice.action = best.action;
    choice.action.id = frontier.add_combination(best.action, choice.parent);
    choice.score = best.score;
    choice.why = best.combination.why;
    changed();
  } else {
    const Entry& entry = frontier.at(pick.single);
    choice.action = entry.idea.action;
    choice.score = ranking().scores[static_cast<std::size_t>(pick.single.value - 1)];
    choice.why = entry.is_retry
                     ? "retry: " + entry.idea.note
                     : fmt::format("best of {} open: {:+.1f} % expected for {:.1f} min",
                                   ranking().ready.size(), 100 * std::expm1(choice.score.g),
                                   choice.score.minutes);
  }
  if (!pick.why.empty()) choice.why = pick.why + "; " + choice.why;
  return choice;
}

Search::Search(SearchOptions options) : state_(std::make_unique<State>(options)) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::add_root(const std::string& commit, const domain::Profile& profile) {
  state_->tree.add_root(commit, profile);
  state_->changed();
}

std::vector<domain::ActionId> Search::propose(domain::NodeId at,
                                              std::vector<domain::Action> actions) {
  std::vector<domain::ActionId> fresh;
  const auto* profile = state_->tree.profile_of(at);
  for (auto& action : actions)
    if (const auto id = state_->frontier.add(std::move(action), at, state_->tree.trunk(), profile))
      fresh.push_back(*id);
  state_->changed();
  return fresh;
}

void Search::add_constraint(domain::Constraint constraint) {
  state_->constraints.add(std::move(constraint), state_->progress.trials());
  state_->changed();
}

std::optional<Choice> Search::ask() {
  ARBOR_CHECK(!state_->tree.is_empty(), "the root is added before the first question");
  if (final_reason(*state_)) return std::nullopt;
  const Ranking& ranking = state_->ranking();
  if (const auto due = due_layer_pick(*state_, ranking)) return state_->handed_out(*due);
  const double best_single = ranking.ready.empty() ? -HUGE_VAL : score(ranking.ready.front()).total;
  const bool is_combined =
      !ranking.combined.empty() && ranking.combined.front().score.total > best_single;
  if (is_combined) return state_->handed_out({{}, &ranking.combined.front(), ""});
  if (ranking.ready.empty()) return std::nullopt;
  return state_->handed_out({ranking.ready.front(), nullptr, ""});
}
std::string Search::stop_reason() const { return reason_to_stop(*state_, state_->ranking()); }
double Search::upper_bound() const { return state_->ranking().upper_bound; }

domain::NodeId Search::begin(const Choice& choice, domain::TrialId trial) {
  auto& frontier = state_->frontier;
  if (!frontier.has(choice.action.id) && !choice.action.parts.empty())
    frontier.restore_combination(choice.action, choice.parent);
  Entry& entry = frontier.at(choice.action.id);
  Node node;
  node.parent = choice.parent;
  node.trial = trial;
  node.actions = {choice.action.id};
  node.actions.insert(node.actions.end(), choice.action.parts.begin(), choice.action.parts.end());
  node.earlier_attempt = entry.last_node;
  node.recipe = state_->tree.at(choice.parent).recipe;
  node.commit = state_->tree.at(choice.parent).commit;
  node.score = choice.score;
  const auto id = state_->tree.add(std::move(node));
  entry.last_node = id;
  entry.tried_on = choice.parent;
  entry.share_when_tried = entry.idea.action.prediction.touched_share;
  entry.is_in_flight = true;
  entry.is_retry = false;
  for (const auto part : choice.action.parts) {
    frontier.at(part).is_in_flight = true;
    ++frontier.at(part).combined_attempts;
  }
  std::set<domain::Layer> layers;
  for (const auto part : state_->carried_by(choice.action))
    layers.insert(frontier.at(part).idea.action.layer);
  state_->progress.begin(entry.idea.action, choice.parent, layers);
  state_->changed();
  return id;
}

void Search::tell(domain::NodeId id, const domain::Verdict& verdict, const domain::Recipe& recipe,
                  const std::string& commit, const std::string& annotation) {
  Node& node = state_->tree.at(id);
  ARBOR_CHECK(node.trial.is_valid() && !node.verdict, "a trial ends once: " + id.text());
  node.verdict = verdict;
  node.annotation = annotation;
  Entry& entry = state_->frontier.at(node.actions.front());
  const domain::Action action = entry.idea.action;
  for (const auto part : node.actions) state_->frontier.at(part).is_in_flight = false;
  entry.idea.state = IdeaState::kTried;
  entry.idea.last = verdict;
  entry.idea.note = annotation;
  ++entry.idea.attempts;
  if (is_failure(verdict) && action.parts.size() > 2)  // of a pair only the partner may be wrong
    for (const auto part : action.parts) state_->frontier.at(part).has_failed_together = true;
  state_->risks.observe(action, verdict);
  if (state_->progress.end(action, verdict)) state_->frontier.weaken_strategy(action);
  if (is_regression(verdict)) state_->frontier.spread_regression(action);
  if (verdict.reason == "not-applied" && action.parts.empty())
    state_->frontier.supersede_covered_by(action, "which changed nothing");
  if (verdict.kind == domain::VerdictKind::kInconclusive) state_->frontier.weaken_beyond(action);
  if (verdict.kind == domain::VerdictKind::kKept) {
    const domain::Recipe before = node.recipe;
    node.recipe = recipe;
    node.commit = commit;
    state_->keep(node, action, before);
  }
  state_->constraints.lapse_old(state_->progress.trials());
  state_->changed();
}

void Search::roll_back(domain::NodeId to, const std::string& reason) {
  ARBOR_CHECK(state_->tree.is_on_path(to, state_->tree.trunk()),
              "a rollback goes to a node of the trunk: " + to.text());
  for (auto id = state_->tree.trunk(); id != to; id = state_->tree.at(id).parent)
    for (const auto action : state_->tree.at(id).actions) {
      auto& idea = state_->frontier.at(action).idea;
      idea.state = IdeaState::kTried;
      idea.note = fmt::format("rolled back from {}: {}", id.text(), reason);
      state_->frontier.restore_covered_by(action);
    }
  state_->tree.move_trunk(to);
  if (const auto* profile = state_->tree.profile_of(to)) state_->frontier.reprofile(*profile, to);
  state_->changed();
}

void Search::set_profile(domain::NodeId id, const domain::Profile& profile) {
  const auto* before = state_->tree.profile_of(id);
  if (before && id == state_->tree.trunk() && has_shifted(*before, profile))
    state_->constraints.lapse(domain::Lapse::kProfileShift);
  state_->tree.at(id).profile = profile;
  if (id == state_->tree.trunk()) state_->frontier.reprofile(profile, id);
  state_->changed();
}

void Search::learn_minutes(const domain::Action& action, double minutes) {
  const auto& last = state_->frontier.at(action.id).idea.last;
  if (!last || last->stage < domain::Stage::kPairs) return;
  state_->minutes.learn(action, minutes);
  state_->changed();
}

domain::NodeId Search::trunk() const { return state_->tree.trunk(); }
const Node& Search::node(domain::NodeId id) const {
  return static_cast<const Tree&>(state_->tree).at(id);
}
const std::vector<Node>& Search::nodes() const { return state_->tree.nodes(); }

std::vector<Idea> Search::ideas() const {
  std::vector<Idea> sorted;
  sorted.reserve(state_->frontier.size());
  for (const auto id : state_->ranking().order)
    sorted.push_back(state_->shown(state_->frontier.at(id)));
  return sorted;
}

std::optional<Idea> Search::idea(domain::ActionId id) const {
  if (!state_->frontier.has(id)) return std::nullopt;
  return state_->shown(state_->frontier.at(id));
}

ScoreTerms Search::score(domain::ActionId id) const {
  ARBOR_CHECK(state_->frontier.has(id), "no such action: " + id.text());
  return state_->ranking().scores[static_cast<std::size_t>(id.value - 1)];
}

const std::vector<domain::Constraint>& Search::constraints() const {
  return state_->constraints.in_force();
}
const std::vector<domain::Constraint>& Search::lapsed_constraints() const {
  return state_->constraints.lapsed();
}
double Search::gain_so_far() const { return state_->tree.gain_of(state_->tree.trunk()); }

}  // namespace arbor::search
