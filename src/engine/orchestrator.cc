// SPDX-License-Identifier: Apache-2.0
#include "engine/orchestrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "engine/final.h"
#include "engine/keys.h"
#include "engine/profiling.h"
#include "engine/proposals.h"
#include "engine/trial.h"

namespace arbor::engine {
namespace {

class Orchestrator {
 public:
  Orchestrator(Session& session, const Budget& budget) : session_(session), budget_(budget) {}

  base::Result<CampaignEnd> run() {
    session_.trials_end_ns = trials_end_ns();
    ARBOR_TRY_VOID(settle_root());
    announce_time();
    std::string reason;
    while (reason.empty()) {
      ARBOR_TRY_VOID(finish_running());
      reason = reason_to_stop();
      if (!reason.empty()) break;
      if (const auto choice = session_.search().ask()) {
        ARBOR_TRY_VOID(begin(*choice));
      } else if (is_refillable()) {
        session_.notice("nothing is left to try; the specialists are asked once more");
        ARBOR_TRY_VOID(propose_for_trunk(session_));
      } else {
        reason = "frontier";
      }
    }
    ARBOR_TRY_VOID(measure_final(session_, budget_));
    ARBOR_TRY_VOID(
        session_.commit(CampaignStopped{reason, detail_of(reason), budget_.spent_s(now_ns())}));
    if (session_.state().count(domain::VerdictKind::kKept) > 0) return CampaignEnd::kImproved;
    const bool is_undecided = reason == "budget" && session_.state().decided() == 0;
    return is_undecided ? CampaignEnd::kUndecided : CampaignEnd::kNoImprovement;
  }

 private:
  std::int64_t now_ns() const { return session_.services().clock.monotonic_ns(); }

  // What has failed meanwhile, and which CPUs are idle, may give a specialist another idea.
  bool is_refillable() const {
    constexpr int kAskedOnATrunk = 2;
    return std::ranges::count(session_.state().asked, session_.trunk_node()) < kAskedOnATrunk;
  }

  double shortest_s() const {
    const auto& state = session_.state();
    const int launches = session_.manifest().check.is_seeded() ? 2 : 1;  // the baseline's as well
    const double check_s = launches * state.baseline->check_s;
    return shortest_trial_s(session_.trunk_launch_s(), session_.baseline.build_s, check_s);
  }

  std::string detail_of(const std::string& reason) const {
    if (reason == "frontier") return session_.search().stop_reason();
    if (reason != "budget" || session_.state().decided() > 0) return "";
    return fmt::format(
        "no trial fits: the shortest takes about {}, the final measurement {}; give it more with "
        "'arbor resume --budget DURATION'",
        base::format_duration(shortest_s()), base::format_duration(reserve_s()));
  }

  // Whoever gave too little should know it before an hour is over.
  void announce_time() const {
    const double left_s = session_.left_s();
    if (left_s < shortest_s()) return;  // the end will say so
    session_.notice(fmt::format(
        "{} for trials, of {} or more each: at most {:.0f}; {} kept for the final measurement",
        base::format_duration(left_s), base::format_duration(shortest_s()),
        std::floor(left_s / shortest_s()), base::format_duration(reserve_s())));
  }

  double reserve_s() const { return final_reserve_s(session_, budget_); }

  std::int64_t trials_end_ns() const { return budget_.end_ns(now_ns(), reserve_s()); }

  // Profile and first proposals of the trunk, where a stop left them undone.
  base::Result<void> settle_root() {
    const auto trunk = session_.trunk_node();
    const auto& profiles = session_.state().profiles;
    const bool has_profile =
        std::ranges::any_of(profiles, [&](const auto& each) { return each.node == trunk; });
    if (!has_profile) ARBOR_TRY_VOID(profile_trunk(session_));
    if (!has_profile || session_.search().ideas().empty())
      ARBOR_TRY_VOID(propose_for_trunk(session_));
    return {};
  }

  std::string reason_to_stop() const {
    const auto& state = session_.state();
    if (session_.stop().stop_requested()) return "user";
    if (state.count(domain::VerdictKind::kCrashed) >= search::SearchOptions{}.crash_limit)
      return "crashes";
    if (budget_.trials && state.decided() >= *budget_.trials) return "trials";
    if (const auto goal = session_.manifest().goal.speedup;
        goal && session_.search().gain_so_far() >= std::log(*goal))
      return "goal";
    return budget_.left_s(now_ns()) < reserve_s() + shortest_s() ? "budget" : "";
  }

  base::Result<void> begin(const search::Choice& choice) {
    session_.trials_end_ns = trials_end_ns();  // a faster trunk leaves more time for trials
    const domain::TrialId trial{static_cast<std::int64_t>(session_.state().trials.size()) + 1};
    const domain::NodeId node{static_cast<std::int64_t>(session_.search().nodes().size())};
    return session_.commit(TrialStarted{trial, node, choice});
  }

  // The trial that is begun and not ended: a new one, or one that a stop cut off, from its start.
  base::Result<void> finish_running() {
    const Trial* running = session_.state().running();
    if (running == nullptr) return {};
    const TrialStarted start = running->start;
    const std::int64_t begun_ns = now_ns();
    const auto minutes = [&] { return static_cast<double>(now_ns() - begun_ns) / 60e9; };
    session_.phase("preparing " + start.choice.action.title);
    auto change = carry_out(session_, start.choice.action);
    if (!change && change.error().kind == base::ErrorKind::kCancelled)
      return std::unexpected(change.error());
    if (!change &&
        change.error().kind != base::ErrorKind::kNotFound)  // the world's, not the idea's
      session_.notice(fmt::format("'{}' could not be carried out: {}", start.choice.action.title,
                                  change.error().message));
    if (!change) return end_unprepared(start, change.error(), minutes());
    ARBOR_TRY_VOID(session_.commit(ChangePrepared{start.trial, *change}));
    TrialOrder order{start.trial, *change, start.choice.action.prediction, session_.trunk.commit,
                     start.choice.action.title};
    ARBOR_TRY(TrialOutcome outcome, run_trial(session_, order));
    return decide(start, std::move(outcome), minutes());
  }

  base::Result<void> end_unprepared(const TrialStarted& start, const base::Error& error,
                                    double minutes) {
    TrialEnded end;
    end.trial = start.trial;
    end.node = start.node;
    end.verdict = {domain::VerdictKind::kRejected,
                   domain::Stage::kPrepare,
                   "not-prepared",
                   error.message,
                   {},
                   0};
    end.recipe = session_.trunk.recipe;
    end.commit = session_.trunk.commit;
    end.minutes = minutes;
    return session_.commit(end);
  }

  // Two keys or no keep; then the verdict, the keys and the trunk they move are one record.
  base::Result<void> decide(const TrialStarted& start, TrialOutcome outcome, double minutes) {
    TrialEnded end;
    end.trial = start.trial;
    end.node = start.node;
    end.minutes = minutes;
    end.noise = outcome.noise;
    end.state = outcome.state;
    judge_keys(session_, start.choice.action, outcome, end);
    const bool is_kept = end.verdict.kind == domain::VerdictKind::kKept;
    end.recipe = is_kept ? outcome.recipe : session_.trunk.recipe;
    end.commit = is_kept ? outcome.commit : session_.trunk.commit;
    ARBOR_TRY_VOID(session_.commit(end));
    if (!outcome.is_judge_intact) ARBOR_TRY_VOID(restore_judge(session_));
    if (!is_kept) return tidy();
    if (!outcome.tree.folder.empty()) session_.trunk = std::move(outcome.tree);
    session_.trunk.recipe = end.recipe;
    session_.trunk.commit = end.commit;
    if (!session_.is_out_of_time()) {
      ARBOR_TRY_VOID(profile_trunk(session_));
      ARBOR_TRY_VOID(propose_for_trunk(session_));
    }
    return tidy();
  }

  base::Result<void> tidy() {
    session_.services().builder.keep_only({session_.baseline.folder, session_.trunk.folder});
    return {};
  }

  Session& session_;
  Budget budget_;
};

// Journals why nothing could be tried; the world's errors end the session and not the campaign.
base::Result<CampaignEnd> end_before_trials(Session& session, const BaselineFailure& failure,
                                            double spent_s) {
  const auto end_with = [&](const char* reason, const std::string& detail,
                            CampaignEnd end) -> base::Result<CampaignEnd> {
    ARBOR_TRY_VOID(session.commit(CampaignStopped{reason, detail, spent_s}));
    return end;
  };
  const std::string& message = failure.error.message;
  switch (failure.cause) {
    case BaselineFailure::Cause::kWorld:
      break;
    case BaselineFailure::Cause::kCheck:
      return end_with("baseline-check", message, CampaignEnd::kBaselineCheckFailed);
    case BaselineFailure::Cause::kProgram:
      return end_with("baseline", message, CampaignEnd::kBaselineUnusable);
    case BaselineFailure::Cause::kOutOfTime:
      return end_with("budget", message + "; give it more with 'arbor resume --budget DURATION'",
                      CampaignEnd::kUndecided);
  }
  return std::unexpected(failure.error);
}

}  // namespace

base::Result<CampaignEnd> run_campaign(Session& session, const CampaignOptions& options) {
  // The clock of the budget starts before the baseline is built.
  const Budget budget{options.budget_s, options.budget_trials, session.state().spent_before_s,
                      session.services().clock.monotonic_ns()};
  if (!session.state().started) ARBOR_TRY_VOID(session.commit(options.start));
  const auto now_ns = [&] { return session.services().clock.monotonic_ns(); };
  // Later sessions only rebuild what they need to end well, whatever is left.
  if (!session.state().calibrated) session.trials_end_ns = budget.end_ns(now_ns(), 0);
  const CalibrationPlan plan{20, kCalibrationShare * options.budget_s};
  if (auto ready = prepare_baseline(session, plan); !ready)
    return end_before_trials(session, ready.error(), budget.spent_s(now_ns()));
  return Orchestrator(session, budget).run();
}

}  // namespace arbor::engine
