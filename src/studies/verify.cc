// SPDX-License-Identifier: Apache-2.0
#include "studies/verify.h"

#include "engine/arms.h"

namespace arbor::studies {
namespace {

base::Result<Verification> measure_rebuilt(engine::Session& session, const domain::Recipe& recipe,
                                           const std::string& commit, int pairs) {
  session.phase("rebuilding the recipe from a clean checkout");
  workspace::BuildOrder order;
  order.commit = commit;
  order.recipe = recipe;
  order.bypass_cache = true;
  order.purpose = "verify";
  ARBOR_TRY(auto built, session.services().builder.build(order, session.stop()));
  const auto* tree = std::get_if<workspace::BuiltTree>(&built);
  if (tree == nullptr)
    return base::fail(base::ErrorKind::kInternal,
                      "the recipe does not build from a clean checkout:\n" +
                          std::get<workspace::BuildFailure>(built).log);
  const engine::ArmState original{&session.baseline, {}};
  const engine::ArmState optimised{tree, recipe};
  Verification result;
  session.phase("checking the results of the rebuilt program");
  ARBOR_TRY(const auto check, engine::check_state(session, optimised, {}));
  result.is_check_passed = check.is_passed;
  result.check_detail = check.detail;
  if (!check.is_passed) return result;
  ARBOR_TRY(const auto measured,
            engine::measure_series(session, original, optimised, {pairs, "verify", false}));
  if (measured.size() < 3)
    return base::fail(base::ErrorKind::kInternal,
                      "fewer than three usable pairs; see 'arbor doctor' for noise");
  result.pairs = static_cast<int>(measured.size());
  result.log_gain = engine::interval_of(measured);
  return result;
}

}  // namespace

std::expected<Verification, engine::BaselineFailure> verify_recipe(
    engine::Session& session, const engine::CampaignStarted& start, const domain::Recipe& recipe,
    const std::string& commit, int pairs) {
  if (auto started = session.commit(start); !started)
    return std::unexpected(engine::BaselineFailure{started.error()});
  if (auto ready =
          engine::prepare_baseline(session, {.pairs = 6, .longest_s = 600, .is_clean = true});
      !ready)
    return std::unexpected(ready.error());
  auto result = measure_rebuilt(session, recipe, commit, pairs);
  if (!result) return std::unexpected(engine::BaselineFailure{result.error()});
  return *result;
}

}  // namespace arbor::studies
