// SPDX-License-Identifier: Apache-2.0
#include "app/watch.h"

#include <fmt/format.h>

#include <cmath>

#include "app/report/report.h"
#include "base/text.h"

namespace arbor::app {
namespace {

std::string prefix(const engine::CampaignState& state) {
  return fmt::format("{:>8}  ", base::format_duration(state.elapsed_s()));
}

struct Narrator {
  Terminal& terminal;
  const engine::CampaignState& state;

  void say(const std::string& text) const { terminal.log(prefix(state) + base::printable(text)); }

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
    terminal.status(prefix(state) + "trying " + record.choice.action.title);
  }
  void operator()(const engine::TrialEnded& record) const {
    if (const auto* trial = state.find(record.trial)) say(story_line(*trial));
  }
  void operator()(const engine::FinalMeasured& record) const {
    say(fmt::format("final: {} against the original, {} pairs", speedup_text(record.log_gain),
                    record.pairs));
  }
  void operator()(const engine::SessionResumed& record) const { say("resumed: " + record.reason); }
  void operator()(const engine::CampaignStopped& record) const {
    // Why nothing could be tried is the error that ends the command, and long.
    const bool is_error = record.reason.starts_with("baseline");
    const bool has_detail = !record.detail.empty() && !is_error;
    say("ended: " + record.reason + (has_detail ? " (" + record.detail + ")" : ""));
  }
  void operator()(const auto&) const {}
};

std::string best_so_far(const engine::CampaignState& state) {
  if (!state.search || state.search->nodes().empty()) return "";
  return fmt::format("  best {:.2f}×", std::exp(state.search->gain_so_far()));
}

}  // namespace

void watch(engine::Services& services, Terminal& terminal) {
  // The phase line needs the state that the last record left; both callbacks share it.
  auto last_state = std::make_shared<const engine::CampaignState*>(nullptr);
  services.on_record = [&terminal, last_state](const engine::Record& record,
                                               const engine::CampaignState& state) {
    *last_state = &state;
    std::visit(Narrator{terminal, state}, record);
  };
  services.on_notice = [&terminal, last_state](std::string_view text) {
    const auto* state = *last_state;
    terminal.log((state != nullptr ? prefix(*state) : std::string(10, ' ')) + std::string(text));
  };
  services.on_phase = [&terminal, last_state](std::string_view phase) {
    std::string line = "          ";
    if (const auto* state = *last_state; state != nullptr) {
      line = prefix(*state);
      if (const auto* running = state->running()) line += running->start.choice.action.title + ": ";
      line += std::string(phase) + best_so_far(*state);
    } else {
      line += phase;
    }
    terminal.status(line);
  };
}

}  // namespace arbor::app
