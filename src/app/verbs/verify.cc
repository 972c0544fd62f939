// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/campaign_folder.h"
#include "app/report/report.h"
#include "app/verbs/verbs.h"
#include "app/watch.h"
#include "app/wiring.h"
#include "base/text.h"
#include "studies/verify.h"

namespace arbor::app {
namespace {

constexpr int kPairs = 20;  // as the campaign's own final measurement at its longest

bool overlaps(const domain::Interval& a, const domain::Interval& b) {
  return a.low <= b.high && b.low <= a.high;
}

void print_result(const Campaign& campaign, const studies::Verification& result,
                  Terminal& terminal) {
  const auto& final = campaign.state.final_measured;
  const bool agrees = final && overlaps(final->log_gain, result.log_gain);
  if (terminal.is_json()) {
    base::Json json = {{"schema", "arbor.verify/1"},
                       {"check", result.is_check_passed ? "passed" : "failed"},
                       {"pairs", result.pairs},
                       {"speedup", nullptr},
                       {"reported", final ? speedup_json(final->log_gain) : base::Json(nullptr)},
                       {"overlaps", final ? base::Json(agrees) : base::Json(nullptr)}};
    if (result.is_check_passed) json["speedup"] = speedup_json(result.log_gain);
    terminal.print_json(json);
    return;
  }
  if (!result.is_check_passed) {
    terminal.print("The rebuilt program fails the check: " + base::printable(result.check_detail) +
                   "\n");
    return;
  }
  terminal.print(fmt::format("{} over {} pairs of clean rebuilds; the report says {}.\n",
                             speedup_text(result.log_gain), result.pairs,
                             final ? speedup_text(final->log_gain) : "nothing final"));
}

int run(const Arguments& arguments, Terminal& terminal) {
  interrupted();
  auto campaign = read_campaign(arguments);
  if (!campaign) return terminal.fail(campaign.error());
  const auto& state = campaign->state;
  if (!state.search || state.count(domain::VerdictKind::kKept) == 0)
    return terminal.fail(
        {base::ErrorKind::kUsage, "the campaign has kept nothing, so there is nothing to verify"});
  const auto trunk = state.search->node(state.search->trunk());
  WorkshopOptions options;
  const auto is_unsafe = unsafe_consent(*state.started, arguments);
  if (!is_unsafe) return terminal.fail(is_unsafe.error());
  options.is_unsafe = *is_unsafe;
  options.is_in_memory = true;
  auto workshop = open_workshop(campaign->root, {campaign->manifest, {}}, options);
  if (!workshop) return terminal.fail(workshop.error());
  watch(*(*workshop)->services, terminal);
  engine::Session session(*(*workshop)->services, {}, interrupted());
  const auto result =
      studies::verify_recipe(session, *state.started, trunk.recipe, trunk.commit, kPairs);
  terminal.clear_status();
  if (!result) return fail(result.error(), terminal);
  print_result(*campaign, *result, terminal);
  if (!result->is_check_passed) return kExitFailure;
  return result->log_gain.low > 0 ? kExitDone : kExitNoImprovement;
}

}  // namespace

Verb verify_verb() {
  return {"verify",
          "Rebuild original and result from clean checkouts, check, and measure again: the "
          "reviewer's proof",
          "arbor verify\narbor verify --json",
          {{"--unsafe", "", "again without a sandbox, where the campaign was begun so"}},
          {},
          run};
}

}  // namespace arbor::app
