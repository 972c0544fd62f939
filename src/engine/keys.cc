// SPDX-License-Identifier: Apache-2.0
#include "engine/keys.h"

#include "agents/critic/critic.h"

namespace arbor::engine {
namespace {

void turn_both(const Session& session, const TrialOutcome& outcome, TrialEnded& end) {
  end.keys.push_back({"orchestrator", true, outcome.verdict.detail});
  agents::KeepProposal proposal;
  proposal.pairs = outcome.pairs;
  proposal.confirm_pairs = outcome.confirm_pairs;
  proposal.has_check = !session.manifest().check.command.empty();
  const auto decision = agents::sign_keep(proposal);
  end.keys.push_back({"critic", decision.is_signed, decision.reason});
  if (decision.is_signed) return;
  end.verdict.kind = domain::VerdictKind::kSuspect;
  end.verdict.stage = domain::Stage::kKeys;
  end.verdict.reason = "veto-" + decision.rule;
  end.verdict.detail = "the Critic withholds its key: " + decision.reason;
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
