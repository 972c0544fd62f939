// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "agents/critic/critic.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

domain::Constraint forbid(const domain::Action& action, std::string reason, domain::NodeId trunk,
                          domain::TrialId trial) {
  domain::Constraint constraint;
  constraint.scope.category = action.category;
  constraint.scope.strategy = action.strategy;
  constraint.scope.target = action.target;
  constraint.scope.subtree = trunk;
  constraint.effect = domain::ConstraintEffect::kForbid;
  constraint.reason = std::move(reason);
  constraint.evidence = {trial};
  constraint.publisher = "critic";
  return constraint;
}

// The line of a log that says most: the first one that speaks of an error.
std::string telling_line(std::string_view log) {
  for (const auto line : base::lines_of(log))
    if (line.find("error") != std::string_view::npos ||
        line.find("undefined reference") != std::string_view::npos ||
        line.find("unrecognized") != std::string_view::npos)
      return base::shortened(base::printable(base::trim(line)), 200);
  return base::shortened(base::printable(base::trim(log)), 200);
}

// The gate's words for a process that ended so.
bool is_illegal_instruction(std::string_view detail) {
  constexpr std::string_view kSignal = "killed by signal 4";
  const auto at = detail.find(kSignal);
  if (at == std::string_view::npos) return false;
  const auto next = detail.substr(at + kSignal.size());
  return next.empty() || next[0] < '0' || next[0] > '9';
}

FailureReview review_crash(const domain::Action& action, const domain::Verdict& verdict,
                           domain::NodeId trunk, domain::TrialId trial) {
  FailureReview review;
  if (is_illegal_instruction(verdict.detail)) {
    review.annotation =
        "The processor lacks an instruction that the build used; it may return on another machine.";
  } else if (verdict.stage == domain::Stage::kBuild || verdict.stage == domain::Stage::kConfirm) {
    review.annotation = "It does not build: " + telling_line(verdict.detail) +
                        " It may return with another toolchain.";
  } else if (verdict.reason == "check-timeout") {
    review.annotation = "It hangs, or takes many times as long; a weaker form may pass.";
  } else {
    review.annotation =
        "The program crashed with it; it may return when the code it touches has changed.";
  }
  review.constraints.push_back(forbid(action, review.annotation, trunk, trial));
  return review;
}

FailureReview review_rejection(const domain::Action& action, const domain::Verdict& verdict,
                               domain::NodeId trunk, domain::TrialId trial) {
  FailureReview review;
  if (verdict.reason == "not-applied")
    review.annotation =
        "It changed nothing: " + base::shortened(base::printable(verdict.detail), 200);
  else if (verdict.reason == "wrong-output")
    review.annotation =
        "The results are wrong with it; a weaker form, or only some files, may pass.";
  else
    review.annotation = base::shortened(base::printable(verdict.detail), 300);
  review.constraints.push_back(forbid(action, review.annotation, trunk, trial));
  return review;
}

std::string enablers(const domain::Action& action) {
  if (action.enabled_by.empty()) return "the profile gives its target a larger share";
  return "one of these is kept: " + base::join(action.enabled_by, ", ");
}

}  // namespace

FailureReview review_failure(const domain::Action& action, const domain::Verdict& verdict,
                             domain::NodeId trunk, domain::TrialId trial) {
  switch (verdict.kind) {
    case domain::VerdictKind::kCrashed:
      return review_crash(action, verdict, trunk, trial);
    case domain::VerdictKind::kRejected:
      return review_rejection(action, verdict, trunk, trial);
    case domain::VerdictKind::kReverted:
      return {"No gain on this state; it may return when " + enablers(action) + ".", {}};
    case domain::VerdictKind::kInconclusive:
      return {"Within the noise; it stays alive, alone when " + enablers(action) +
                  ", or together with others.",
              {}};
    case domain::VerdictKind::kSuspect:
      return {"Too good to be believed; a person should look at it.", {}};
    case domain::VerdictKind::kKept:
      return {};
  }
  return {};
}

}  // namespace arbor::agents
