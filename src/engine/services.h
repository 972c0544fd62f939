// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/specialists/specialist.h"
#include "domain/manifest.h"
#include "engine/campaign_state.h"
#include "ports/analyzer/analyzer.h"
#include "ports/clock/clock.h"
#include "ports/executor/executor.h"
#include "ports/profiler/profiler.h"
#include "ports/sandbox/sandbox.h"
#include "ports/store/store.h"
#include "workspace/builder.h"
#include "workspace/repository.h"

namespace arbor::engine {

// A specialist that takes part, under its registry name.
struct Worker {
  std::string name;
  std::unique_ptr<agents::Specialist> specialist;
};

// Everything a campaign works with; the wiring in app chooses the implementations. All outlive it.
struct Services {
  const domain::Manifest& manifest;
  const workspace::Repository& repository;
  workspace::Builder& builder;
  ports::Sandbox& sandbox;
  ports::Executor& executor;
  ports::Profiler& profiler;
  ports::Clock& clock;
  ports::Store& store;
  ports::Analyzer* analyzer = nullptr;  // none: loops are not analysed
  agents::Machine machine;
  std::vector<Worker> workers;  // by name
  // Told after each record is on disk, and at each phase ("building", "pair 3 of 20 …").
  std::function<void(const Record&, const CampaignState&)> on_record;
  std::function<void(std::string_view)> on_phase;
  std::function<void(std::string_view)> on_notice;  // no decision, but worth a line of the log
};

}  // namespace arbor::engine
