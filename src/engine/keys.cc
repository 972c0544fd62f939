// SPDX-License-Identifier: Apache-2.0
#include "engine/keys.h"

#include "agents/critic/critic.h"
#include "measure/keys.h"

namespace arbor::engine {
namespace {

void turn_both(const Session& session, const TrialOutcome& outcome, TrialEnded& end) {
  const measure::Key orchestrator = measure::orchestrator_key(outcome.verdict, outcome.delta0);
  agents::KeepProposal proposal;
  proposal.pairs = outcome.pairs;
  proposal.confirm_pairs = outcome.confirm_pairs;
  proposal.is_harness_intact = outcome.is_judge_intact;
  proposal.has_check = !session.manifest().check.command.empty();
  const auto decision = agents::sign_keep(proposal);
  const measure::Key critic{decision.is_signed, decision.reason};
  end.verdict = measure::verdict_with_keys(outcome.verdict, orchestrator, critic);
  end.keys = {{"orchestrator", orchestrator.is_signed,
               orchestrator.is_signed ? outcome.verdict.detail : orchestrator.reason},
              {"critic", critic.is_signed, critic.reason}};
}

}  // namespace

void judge_keys(const Session& session, const domain::Action& action, const TrialOutcome& outcome,
                TrialEnded& end) {
  end.verdict = outcome.verdict;
  if (end.verdict.kind == domain::VerdictKind::kKept) turn_both(session, outcome, end);
  if (end.verdict.kind == domain::VerdictKind::kKept) return;
  auto review = agents::review_failure(action, end.verdict, session.trunk_node(), end.trial);
  end.annotation = std::move(review.annotation);
  end.constraints = std::move(review.constraints);
}

}  // namespace arbor::engine
