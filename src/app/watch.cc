// SPDX-License-Identifier: Apache-2.0
#include "app/watch.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "app/report/report.h"
#include "base/check.h"
#include "base/text.h"
#include "engine/journal.h"

namespace arbor::app {
namespace {
constexpr double kSilence_s = 60;  // in a pipe; then a trial under way says where it is
}

struct Narrator {
  Narration& narration;
  const engine::CampaignState& state;

  void say(const std::string& text) const { narration.say(text); }

  void operator()(const engine::CampaignStarted& record) const {
    say(fmt::format("campaign on {} at {}, budget {}", record.program, record.commit.substr(0, 10),
                    base::format_duration(record.budget_s)));
    for (const auto& note : record.notes) say("note: " + note);
  }
  void operator()(const engine::BaselineReady& record) const {
    say(fmt::format("baseline built in {} and checked in {}{}",
                    base::format_duration(record.build_s), base::format_duration(record.check_s),
                    record.has_hash_proof ? "" : "; two builds differ, so proof by hash is off"));
  }
  void operator()(const engine::SelfTested& record) const {
    say(std::string("self-test of the gate ") + (record.is_passed ? "passed: " : "FAILED: ") +
        record.detail);
  }
  void operator()(const engine::Calibrated& record) const {
    const auto& calibration = record.calibration;
    say(fmt::format("noise {:.1f} % a pair over {} pairs; effects from {:.1f} % up can be proved",
                    calibration.s_aa * 100, calibration.pairs,
                    calibration.smallest_detectable * 100));
    for (const auto& note : record.notes) say("note: " + note);
  }
  void operator()(const engine::Profiled& record) const {
    if (record.profile.hotspots.empty()) {
      say("profile: none; " + record.profile.note);
      return;
    }
    std::string text = "profile:";
    for (std::size_t i = 0; i < record.profile.hotspots.size() && i < 3; ++i)
      text += fmt::format("  {} {:.0f} %", record.profile.hotspots[i].symbol,
                          record.profile.hotspots[i].share * 100);
    if (record.shift >= 0.10)
      text += fmt::format("  (the bottleneck moved: shift {:.2f})", record.shift);
    say(text);
  }
  void operator()(const engine::Proposed& record) const {
    say(fmt::format("{} ideas proposed at {}", record.actions.size(), record.node.text()));
  }
  void operator()(const engine::TrialStarted& record) const {
    auto& progress = narration.progress_;
    progress.node = record.node.text();
    progress.title = record.choice.action.title;
    progress.phase = "preparing";
    progress.trial_began_s = narration.now_s();
    progress.trial_expected_s = expected_trial_s(state, record.choice.action);
    if (!narration.terminal_.setup().is_interactive)
      say(fmt::format("{:<13}{:<5}{}", "trying", progress.node, progress.title));
  }
  void operator()(const engine::TrialEnded& record) const {
    auto& progress = narration.progress_;
    const auto* trial = state.find(record.trial);
    if (trial != nullptr) say(story_line(*trial));
    progress.last =
        fmt::format("{} {}", domain::verdict_name(record.verdict.kind), record.node.text());
    progress.best = state.search ? std::exp(state.search->gain_so_far()) : 1;
    progress.node.clear();
    progress.phase = "choosing the next action";
  }
  void operator()(const engine::FinalMeasured& record) const {
    say(fmt::format("final: {} against the original, {} pairs", speedup_text(record.log_gain),
                    record.pairs));
  }
  void operator()(const engine::SessionResumed& record) const { say("resumed: " + record.reason); }
  void operator()(const engine::CampaignStopped& record) const {
    narration.is_over_ = true;
    // Why the baseline cannot be measured is the error that the verb ends with.
    const bool is_told_apart = record.detail.empty() || record.reason.starts_with("baseline");
    say("ended: " + record.reason + (is_told_apart ? "" : " (" + record.detail + ")"));
  }
  void operator()(const auto&) const {}
};

void Narration::record(const engine::Record& record, const engine::CampaignState& state) {
  const std::lock_guard lock(mutex_);
  progress_.spent_before_s = state.spent_before_s;
  if (state.started)
    base::set_crash_context(fmt::format("program {}, commit {}, seed {}, entry {}",
                                        state.started->program, state.started->commit,
                                        state.started->seed, engine::record_type(record)));
  std::visit(Narrator{*this, state}, record);
}

void Narration::notice(std::string_view text) {
  const std::lock_guard lock(mutex_);
  say(std::string(text));
}

// In a pipe the pairs of a trial are not worth a line each.
void Narration::phase(std::string_view text) {
  const std::lock_guard lock(mutex_);
  progress_.phase = text;
  if (terminal_.setup().is_interactive) return draw();
  const std::string name = phase_name(progress_.phase);
  if (progress_.node.empty() ? name != named_phase_ : now_s() - last_said_s_ > kSilence_s)
    say(progress_.node.empty()
            ? progress_.phase
            : fmt::format("{:<13}{:<5}{}", "still trying", progress_.node, progress_.phase));
  named_phase_ = name;
}

void Narration::redraw() {
  const std::lock_guard lock(mutex_);
  draw();
}

void Narration::draw() {
  if (is_over_ || progress_.phase.empty()) return;
  const int width = terminal_.setup().width;
  terminal_.status(progress_line(progress_, now_s(), width));
}

void Narration::say(const std::string& text) {
  last_said_s_ = now_s();
  const double elapsed_s = progress_.spent_before_s + last_said_s_ - progress_.began_s;
  terminal_.log(fmt::format("{:>8}  {}", elapsed_text(elapsed_s), base::printable(text)));
}

void Narration::tick_until_destroyed() {
  if (!terminal_.setup().is_interactive || terminal_.setup().is_quiet) return;
  ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

void Narration::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    if (!stop.stop_requested()) draw();
  }
}

void watch(engine::Services& services, Terminal& terminal, std::optional<Spending> spending) {
  const auto narration =
      std::make_shared<Narration>(terminal, services.clock, spending.value_or(Spending{}));
  services.on_record = [narration](const engine::Record& record,
                                   const engine::CampaignState& state) {
    narration->record(record, state);
  };
  services.on_notice = [narration](std::string_view text) { narration->notice(text); };
  services.on_phase = [narration](std::string_view text) { narration->phase(text); };
  if (spending) narration->tick_until_destroyed();
}

void end_watch(engine::Services& services, Terminal& terminal) {
  services.on_record = {};
  services.on_notice = {};
  services.on_phase = {};
  terminal.clear_status();
}

}  // namespace arbor::app
