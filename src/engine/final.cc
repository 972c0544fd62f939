// SPDX-License-Identifier: Apache-2.0
#include "engine/final.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/arms.h"

namespace arbor::engine {
namespace {

constexpr int kTunedPairs = 8;         // for the second figure; the headline has the plan's
constexpr int kTunedQuickPairs = 2;    // to choose the best of the conventional builds
constexpr int kHoldoutPairs = 6;       // enough to see whether the gain carries over
constexpr double kHoldoutShare = 0.1;  // of the budget, as below
constexpr double kTunedShare = 0.2;    // of the budget: a comparison that costs more is not made

struct Tuned {
  workspace::BuiltTree tree;
  domain::Recipe recipe;
  std::string description;
};

// What somebody does in an hour: three sets of flags, and another allocator where there is one.
std::vector<domain::Recipe> conventional_recipes(const Session& session) {
  const domain::CompilerFlags high{{"-O3"}, {}, {}, false};
  std::vector<domain::Recipe> recipes = {
      {{high}},
      {{domain::CompilerFlags{{"-O3", "-march=native"}, {}, {}, false}}},
      {{domain::CompilerFlags{{"-O3", "-march=native", "-flto=auto"}, {}, {}, true}}}};
  const auto& preloads = session.services().machine.preloads;
  const auto known = std::ranges::find_if(
      preloads, [](const std::string& library) { return library.contains("mimalloc"); });
  if (!preloads.empty())
    recipes.push_back({{high, domain::Preload{known != preloads.end() ? *known : preloads[0]}}});
  return recipes;
}

// The best of the conventional builds by a quick look; none where none builds and passes the check.
base::Result<std::optional<Tuned>> best_conventional(Session& session, const ArmState& trunk) {
  std::optional<Tuned> best;
  double smallest_lead = 0;
  for (const auto& recipe : conventional_recipes(session)) {
    workspace::BuildOrder order;
    order.commit = session.baseline.commit;
    order.recipe = recipe;
    order.purpose = "tuned";
    const std::string description = domain::describe(recipe.entries, ", ");
    session.phase("building a conventionally tuned version: " + description);
    ARBOR_TRY(auto built, session.services().builder.build(order, session.stop()));
    auto* tree = std::get_if<workspace::BuiltTree>(&built);
    if (tree == nullptr) continue;
    ARBOR_TRY(const auto check, check_state(session, {tree, recipe}, {}));
    if (!check.is_passed) continue;
    ARBOR_TRY(const auto pairs, measure_series(session, {tree, recipe}, trunk,
                                               {kTunedQuickPairs, "tuned-quick", false}));
    if (pairs.empty()) continue;
    double lead = 0;  // of the trunk
    for (const auto& pair : pairs) lead += *pair.x / static_cast<double>(pairs.size());
    if (best && lead >= smallest_lead) continue;
    smallest_lead = lead;
    best = Tuned{std::move(*tree), recipe, description};
  }
  return best;
}

// One launch of the original, or of something no slower, and one of the trunk.
double pair_s(const Session& session) { return session.launch_s() + session.trunk_launch_s(); }

double tuned_cost_s(const Session& session) {
  const auto builds = static_cast<double>(conventional_recipes(session).size());
  const auto& baseline = *session.state().baseline;
  return builds * (baseline.build_s + baseline.check_s + (kTunedQuickPairs + 1) * pair_s(session)) +
         (kTunedPairs + 1) * pair_s(session);
}

base::Result<void> add_tuned(Session& session, const ArmState& trunk, FinalMeasured& record) {
  ARBOR_TRY(const auto tuned, best_conventional(session, trunk));
  if (!tuned) return {};
  ARBOR_TRY(const auto pairs, measure_series(session, {&tuned->tree, tuned->recipe}, trunk,
                                             {kTunedPairs, "tuned", false}));
  if (pairs.size() < 3) return {};
  record.log_gain_over_tuned = interval_of(pairs);
  record.tuned_description = tuned->description;
  return {};
}

// Where the other workload takes no longer than the bench.
double holdout_cost_s(const Session& session) {
  return session.manifest().bench.holdout.empty() ? 0 : (kHoldoutPairs + 1) * pair_s(session);
}

base::Result<void> add_holdout(Session& session, ArmState trunk, FinalMeasured& record) {
  ArmState baseline{&session.baseline, {}};
  baseline.on_holdout = trunk.on_holdout = true;
  session.phase("measuring on the workload that no decision saw");
  ARBOR_TRY(const auto pairs,
            measure_series(session, baseline, trunk, {kHoldoutPairs, "holdout", false}));
  if (pairs.size() >= 3)
    record.log_gain_on_holdout = interval_of(pairs);
  else
    session.notice("[bench] holdout could not be measured; see what it prints");
  return {};
}

}  // namespace

double final_reserve_s(const Session& session, const Budget& budget) {
  const double tuned_s = tuned_cost_s(session);
  const double holdout_s = holdout_cost_s(session);
  const int pairs = final_pairs(budget.wall_s, session.launch_s());
  return headline_reserve_s(pairs, pair_s(session)) +
         (holdout_s <= kHoldoutShare * budget.wall_s ? holdout_s : 0) +
         (tuned_s <= kTunedShare * budget.wall_s ? tuned_s : 0);
}

base::Result<void> measure_final(Session& session, const Budget& budget) {
  if (session.state().count(domain::VerdictKind::kKept) == 0 || session.stop().stop_requested())
    return {};
  const ArmState baseline{&session.baseline, {}};
  const ArmState trunk{&session.trunk, session.trunk.recipe};
  const int planned = final_pairs(budget.wall_s, session.launch_s());
  ARBOR_TRY(const auto pairs, measure_series(session, baseline, trunk, {planned, "final", true}));
  if (pairs.size() < 3)
    return base::fail(base::ErrorKind::kInternal,
                      "the final measurement yielded fewer than three usable pairs");
  FinalMeasured record;
  record.pairs = static_cast<int>(pairs.size());
  record.log_gain = interval_of(pairs);
  const auto has_time_for = [&](double cost_s) {
    return budget.left_s(session.services().clock.monotonic_ns()) > cost_s;
  };
  const double holdout_s = holdout_cost_s(session);
  if (holdout_s > 0 && has_time_for(holdout_s)) ARBOR_TRY_VOID(add_holdout(session, trunk, record));
  if (has_time_for(tuned_cost_s(session))) ARBOR_TRY_VOID(add_tuned(session, trunk, record));
  return session.commit(record);
}

}  // namespace arbor::engine
