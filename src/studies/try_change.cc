// SPDX-License-Identifier: Apache-2.0
#include "studies/try_change.h"

#include "engine/keys.h"

namespace arbor::studies {
namespace {

std::unexpected<engine::BaselineFailure> failed(base::Error error) {
  return std::unexpected(engine::BaselineFailure{std::move(error)});
}

domain::Action brought_by_user(const domain::Change& change) {
  domain::Action action;
  action.category = "user";
  action.strategy = "user";
  action.title = change.summary;
  // Nothing is predicted of a user's change, so no bound on its gain is either, but the tenfold.
  action.prediction.upper_speedup = 10;
  return action;
}

}  // namespace

std::expected<TryResult, engine::BaselineFailure> try_change(engine::Session& session,
                                                             const engine::CampaignOptions& options,
                                                             const domain::Change& change) {
  if (auto started = session.commit(options.start); !started) return failed(started.error());
  if (auto ready = engine::prepare_baseline(session, {}); !ready)
    return std::unexpected(ready.error());
  const domain::Action action = brought_by_user(change);
  engine::TrialOrder order;
  order.trial = domain::TrialId{1};
  order.change = change;
  order.prediction = action.prediction;
  order.commit = session.trunk.commit;
  order.title = change.summary;
  // The journal wants a node to hang the trial on: the profile of an unprofiled root, and this
  // idea.
  if (auto done =
          session.commit(engine::Profiled{domain::NodeId{0}, {"none", 0, {}, "not profiled"}, 0});
      !done)
    return failed(done.error());
  if (auto done = session.commit(engine::Proposed{domain::NodeId{0}, {action}}); !done)
    return failed(done.error());
  auto choice = session.search().ask();
  if (!choice) choice = search::Choice{action, domain::NodeId{0}, {}, "brought by the user"};
  choice->why = "brought by the user";
  if (auto done = session.commit(engine::TrialStarted{order.trial, domain::NodeId{1}, *choice});
      !done)
    return failed(done.error());
  auto outcome = engine::run_trial(session, order);
  if (!outcome) return failed(outcome.error());
  TryResult result;
  result.end.trial = order.trial;
  result.end.node = domain::NodeId{1};
  engine::judge_keys(session, action, *outcome, result.end);
  result.end.recipe = outcome->recipe;
  result.end.commit = outcome->commit;
  result.verdict = result.end.verdict;
  result.outcome = std::move(*outcome);
  if (auto done = session.commit(result.end); !done) return failed(done.error());
  return result;
}

}  // namespace arbor::studies
