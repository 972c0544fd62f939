// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "app/cli/terminal.h"
#include "app/progress.h"
#include "engine/services.h"

namespace arbor::app {

// What a campaign may spend, and what its earlier sessions spent.
struct Spending {
  double budget_s = 0;  // 0: none is kept, as in a single trial
  double before_s = 0;
};

// Tells what happens. On a terminal a line in place that ticks, and a line per verdict that reads
// like a story; in a pipe a line per event, the start of a trial and of what comes before it
// included, and one now and then from a trial that takes long. Thread-safe.
class Narration {
 public:
  Narration(Terminal& terminal, const ports::Clock& clock, Spending spending)
      : terminal_(terminal), clock_(clock) {
    progress_.budget_s = spending.budget_s;
    progress_.spent_before_s = spending.before_s;
    progress_.began_s = last_said_s_ = now_s();
  }

  void record(const engine::Record& record, const engine::CampaignState& state);
  void phase(std::string_view text);
  void notice(std::string_view text);
  void redraw();                // the line in place, with the time as it is now
  void tick_until_destroyed();  // redraws each second, from a thread of its own

 private:
  friend struct Narrator;
  double now_s() const { return static_cast<double>(clock_.monotonic_ns()) / 1e9; }
  void say(const std::string& text);
  void draw();
  void tick(const std::stop_token& stop);

  Terminal& terminal_;
  const ports::Clock& clock_;
  std::mutex mutex_;
  Progress progress_;
  std::string named_phase_;  // said last in a pipe
  double last_said_s_ = 0;
  bool is_over_ = false;
  std::condition_variable_any wake_;
  std::jthread ticker_;  // last: it ends before the rest goes
};

// Has the services' callbacks told; spending only where a campaign is run: it ticks then. The
// terminal outlives the services.
void watch(engine::Services& services, Terminal& terminal, std::optional<Spending> spending = {});
// The end of it, before anything else is printed.
void end_watch(engine::Services& services, Terminal& terminal);

}  // namespace arbor::app
