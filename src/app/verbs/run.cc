// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/campaign_folder.h"
#include "app/config/quantity.h"
#include "app/report/report.h"
#include "app/verbs/verbs.h"
#include "app/watch.h"
#include "app/wiring.h"
#include "base/files.h"
#include "base/text.h"
#include "engine/orchestrator.h"

namespace arbor::app {
namespace {

int exit_code_of(engine::CampaignEnd end) {
  switch (end) {
    case engine::CampaignEnd::kImproved:
      return kExitDone;
    case engine::CampaignEnd::kNoImprovement:
      return kExitNoImprovement;
    case engine::CampaignEnd::kUndecided:
      return kExitUndecided;
    case engine::CampaignEnd::kBaselineUnusable:
      return kExitUsage;
    case engine::CampaignEnd::kBaselineCheckFailed:
      return kExitBaselineFails;
  }
  return kExitFailure;
}

bool is_baseline_at_fault(engine::CampaignEnd end) {
  return end == engine::CampaignEnd::kBaselineUnusable ||
         end == engine::CampaignEnd::kBaselineCheckFailed;
}

// The report also stays in the campaign's folder, for whoever comes in the morning.
void keep_report(const Workshop& workshop, const engine::CampaignState& state, Terminal& terminal) {
  const auto folder = workshop.arbor_dir / "report";
  const auto json = base::dump_json(report_json(state, workshop.manifest), 2) + "\n";
  auto written = base::write_file(folder / "report.json", json);
  if (written)
    written = base::write_file(folder / "report.md", report_markdown(state, workshop.manifest));
  if (written)
    terminal.log("The report is " + (folder / "report.md").string());
  else
    terminal.log("The report could not be kept: " + written.error().message);
}

void print_end(const engine::Session& session, Terminal& terminal) {
  const auto& state = session.state();
  if (terminal.is_json()) {
    terminal.print_json(report_json(state, session.manifest()));
    return;
  }
  terminal.print("\n" + report_markdown(state, session.manifest()));
}

// Runs or goes on with the campaign of an opened workshop, and says how it ended. has_begun becomes
// false where the baseline itself was at fault.
int conduct(Workshop& workshop, engine::CampaignState state, const engine::CampaignOptions& options,
            Terminal& terminal, bool* has_begun = nullptr) {
  watch(*workshop.services, terminal, Spending{options.budget_s, state.spent_before_s});
  engine::Session session(*workshop.services, std::move(state), interrupted());
  auto end = engine::run_campaign(session, options);
  end_watch(*workshop.services, terminal);
  if (!end) {
    const bool is_stop = end.error().kind == base::ErrorKind::kCancelled;
    if (!is_stop) return terminal.fail(end.error());
    // 'arbor status' shall not take it for a session that was cut off.
    if (session.state().started)
      static_cast<void>(
          session.commit(engine::CampaignStopped{"user", "", session.state().elapsed_s}));
    terminal.log("Stopped; everything decided is saved. 'arbor resume' goes on.");
    return exit_code_of_interruption();
  }
  if (is_baseline_at_fault(*end)) {
    if (has_begun != nullptr) *has_begun = false;
    terminal.fail({base::ErrorKind::kUsage, session.state().stopped->detail});
    return exit_code_of(*end);
  }
  print_end(session, terminal);
  keep_report(workshop, session.state(), terminal);
  if (session.state().stopped && session.state().stopped->reason == "user") {
    terminal.log("Stopped; everything decided is saved. 'arbor resume' goes on.");
    return exit_code_of_interruption();
  }
  return exit_code_of(*end);
}

// How a new campaign ended, and whether it got as far as having something of its own to tell.
struct Begun {
  int code = kExitFailure;
  bool has_begun = false;
};

Begun begin(const std::filesystem::path& root, LoadedManifest manifest, const Arguments& arguments,
            Terminal& terminal) {
  WorkshopOptions options;
  options.is_unsafe = arguments.has("--unsafe");
  options.only = arguments.values("--only");
  options.without = arguments.values("--without");
  auto workshop = open_workshop(root, std::move(manifest), options);
  if (!workshop) return {terminal.fail(workshop.error()), false};
  auto start = campaign_options(**workshop, options, arguments.has("--include-dirty"));
  if (!start) return {terminal.fail(start.error()), false};
  Begun begun{kExitFailure, true};
  begun.code = conduct(**workshop, {}, *start, terminal, &begun.has_begun);
  return begun;
}

int run(const Arguments& arguments, Terminal& terminal) {
  interrupted();  // before any thread starts, so that all of them leave the signals to it
  const auto root = find_program(arguments);
  if (!root) return terminal.fail(root.error());
  auto manifest = manifest_for(*root, arguments);
  if (!manifest) return terminal.fail(manifest.error());
  const auto archive = make_room_for_campaign(*root / ".arbor", arguments.has("--fresh"));
  if (!archive) return terminal.fail(archive.error());
  const auto [code, has_begun] = begin(*root, std::move(*manifest), arguments, terminal);
  if (has_begun || archive->empty()) return code;
  if (const auto back = take_back_campaign(*root / ".arbor", *archive); !back)
    return terminal.fail(back.error());
  terminal.log("The campaign before is where it was; 'arbor report' shows it.");
  return code;
}

base::Result<std::optional<double>> more_budget(const Arguments& arguments) {
  const auto text = arguments.value("--budget");
  if (!text) return std::nullopt;
  const auto seconds = base::parse_duration_s(*text);
  if (!seconds || *seconds <= 0 || *seconds > kLongest_s)
    return base::fail(base::ErrorKind::kUsage,
                      "--budget '" + *text + "' is no duration such as 15m, of a year at most");
  return *seconds;
}

int resume(const Arguments& arguments, Terminal& terminal) {
  interrupted();
  auto before = read_campaign(arguments);
  if (!before) return terminal.fail(before.error());
  if (!before->state.started)
    return terminal.fail(
        {base::ErrorKind::kUsage, "the campaign never began; start one with 'arbor run'"});
  if (before->state.stopped && before->state.stopped->reason != "user" &&
      !arguments.has("--budget"))
    return terminal.fail(
        {base::ErrorKind::kUsage,
         "the campaign is finished (" + before->state.stopped->reason +
             "); give it more with --budget, or start a new one with 'arbor run'"});
  const auto more_s = more_budget(arguments);
  if (!more_s) return terminal.fail(more_s.error());
  const engine::CampaignStarted start = *before->state.started;
  before->store.reset();
  WorkshopOptions options;
  const auto is_unsafe = unsafe_consent(start, arguments);
  if (!is_unsafe) return terminal.fail(is_unsafe.error());
  options.is_unsafe = *is_unsafe;
  options.only = start.only;
  options.without = start.without;
  options.store_mode = ports::StoreMode::kWrite;
  LoadedManifest loaded{before->manifest, start.manifest.value_or(domain::ManifestSource{})};
  auto workshop = open_workshop(before->root, std::move(loaded), options);
  if (!workshop) return terminal.fail(workshop.error());
  for (const auto& change : changed_since(start, **workshop)) terminal.log("note: " + change);
  auto state = resumed_state(**workshop, *more_s);
  if (!state) return terminal.fail(state.error());
  const engine::CampaignOptions campaign{start, state->started->budget_s, start.budget_trials};
  return conduct(**workshop, std::move(*state), campaign, terminal);
}

}  // namespace

Verb run_verb() {
  return {"run",
          "Make the program faster: runs a campaign and proves every gain",
          "arbor run --budget 15m\narbor run --goal 2x --without compiler.pgo",
          {{"--budget", "DURATION",
            "wall time of the whole campaign, final measurement included (30m)"},
           {"--trials", "N", "at most N trials"},
           {"--goal", "SPEEDUP", "stop when the kept steps reach it, for example 2x"},
           {"--seed", "N", "seed of every random choice (1)"},
           {"--only", "SPECIALIST", "only this one; see 'arbor list'", true},
           {"--without", "NAME", "not this specialist, guardrail or plant of the self-test", true},
           {"--include-dirty", "", "start from a snapshot of the work tree instead of HEAD"},
           {"--fresh", "", "put an unfinished campaign away and start a new one"},
           {"--unsafe", "", "without a sandbox: trust the program and everything it runs"}},
          {},
          run};
}

Verb resume_verb() {
  return {"resume",
          "Go on with a campaign that was stopped, killed or cut off",
          "arbor resume\narbor resume --budget 10m",
          {{"--budget", "DURATION", "this much more wall time"},
           {"--unsafe", "", "again without a sandbox, where it was begun so"}},
          {},
          resume};
}

}  // namespace arbor::app
