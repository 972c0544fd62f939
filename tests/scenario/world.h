// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/files.h"
#include "engine/orchestrator.h"
#include "ports/clock/fake.h"
#include "ports/executor/fake.h"
#include "ports/profiler/fake.h"
#include "ports/sandbox/fake.h"
#include "ports/store/memory.h"
#include "scenario.h"

namespace arbor::scenario {

// A scenario's program: a real git repository and the real builder, around a sandbox, an executor
// and a clock that answer as the scenario says. A built "app" holds the names of the changes in it.
class World {
 public:
  explicit World(const Scenario& scenario);

  struct Run {
    bool is_cut_off = false;  // the store refused, as when the controller is killed
    std::string notices;      // what the user was told meanwhile
    std::string story;        // what the campaign decided, one line each
    double spent_s = 0;
  };
  // Starts the campaign, or goes on with it. cut_after: so many records, then the store refuses.
  Run run(std::optional<int> cut_after = std::nullopt);
  std::size_t records() const;
  std::size_t count(const std::string& type) const;  // records of that type
  std::size_t notes() const;                         // that guardrails left in trials

 private:
  std::vector<ports::Event> journal() const;
  base::Result<ports::LaunchOutcome> launched(const ports::LaunchRequest& request);
  base::Result<ports::LaunchOutcome> built(const ports::LaunchRequest& request);
  base::Result<ports::PairAnswer> measured(const ports::PairJob& job);
  ports::LaunchOutcome benched(const ports::ArmJob& arm, std::uint64_t salt);
  void bribe(const ports::LaunchRequest& request) const;
  std::set<std::string> names_in(const std::string& text) const;
  domain::Manifest manifest() const;
  engine::Services services(const domain::Manifest& manifest, workspace::Builder& builder,
                            ports::Store& store);
  engine::CampaignOptions options() const;

  const Scenario& scenario_;
  int checks_ = 0;  // launched so far
  base::ScratchDir scratch_;
  ports::FakeClock clock_;
  ports::FakeSandbox sandbox_;
  ports::FakeExecutor executor_;
  ports::FakeProfiler profiler_;
  mutable ports::MemoryCampaign campaign_;
  std::optional<workspace::Repository> repository_;
};

}  // namespace arbor::scenario
